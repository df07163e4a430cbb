import { randomUUID } from 'node:crypto';
import { SCOPES } from '@gleaner/contracts';
import { startOrigin } from '@gleaner/test-kit';
import { openDatabase } from '../keys/open-database.ts';
import type { Stack } from '../stack/start-stack.ts';
import { askStack, startTestStack, type TestStack } from '../stack/test/test-stack.ts';

/** Variable that tells the tests where the shared stack is; jest's workers inherit it. */
const VARIABLE = 'GLEANER_SHARED_STACK';

/** A stack as JSON tells it: with its processes as they were when it started. */
interface Published extends Omit<Stack, 'stop' | 'processes'> {
  readonly processes: ReturnType<Stack['processes']>;
}

/** Tells the tests that start after this where the stack is. */
export function publish(stack: Omit<Stack, 'stop'>): void {
  process.env[VARIABLE] = JSON.stringify({ ...stack, processes: stack.processes() });
}

/**
 * Gives a test file an account of its own on the shared stack, with a key for everything and a site that it may scrape;
 * sites on other ports of 127.0.0.1 can be scraped, too. Starts a stack where none is shared, as for the long tests.
 * Dispose it to stop what it started.
 */
export async function joinStack(): Promise<TestStack> {
  const published = process.env[VARIABLE];
  if (!published) return startTestStack({}, ['127.0.0.1']);
  const { processes, ...shared }: Published = JSON.parse(published);
  const apiKey = await createKey(shared.mongodbUri);
  const stack = { ...shared, apiKey, processes: () => processes };
  const origin = await startOrigin();
  return {
    stack,
    origin,
    ask: (path, body, method) => askStack(stack, path, body, method),
    [Symbol.asyncDispose]: () => origin.close(),
  };
}

/** Returns the key of a new account without a limit. */
async function createKey(mongodbUri: string): Promise<string> {
  const { stores, close } = await openDatabase('', mongodbUri);
  try {
    const id = `acct_${randomUUID()}`;
    await stores.accounts.ensureAccount({ id, name: id });
    const { key } = await stores.keys.createKey({ accountId: id, scopes: SCOPES });
    return key;
  } finally {
    await close();
  }
}
