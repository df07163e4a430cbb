import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Origin, startOrigin } from '@gleaner/test-kit';
import { type Stack, startStack } from '../start-stack.ts';

/** A stack for one test, with a site that it may scrape. */
export interface TestStack extends AsyncDisposable {
  readonly stack: Omit<Stack, 'stop'>;
  readonly origin: Origin;
  /** Calls the REST API with the key of the stack, as `askStack` does. */
  ask(path: string, body?: unknown, method?: string): Promise<TestAnswer>;
}

/** A response of the REST API. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The parsed body; undefined where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the shape.
  readonly json: any;
}

/** True where the packages include a browser. */
export const HAS_BROWSER = process.platform === 'linux' && process.arch === 'x64';

/** Starts the stack and the site, with further settings for every service. Dispose it to stop both. */
export async function startTestStack(
  settings: Readonly<Record<string, string>> = {},
  egressAllow: readonly string[] = [],
): Promise<TestStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-stack-'));
  const origin = await startOrigin();
  const stack = await startStack({
    dataDir,
    egressAllow: [`127.0.0.1:${origin.port}`, ...egressAllow],
    settings: {
      RATE_LIMIT_SCRAPE: '100000',
      RATE_LIMIT_CREATE: '100000',
      RATE_LIMIT_READ: '100000',
      ...settings,
    },
    announce: () => {},
  });
  return {
    stack,
    origin,
    ask: (path, body, method) => askStack(stack, path, body, method),
    async [Symbol.asyncDispose]() {
      await stack.stop();
      await origin.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Calls the REST API of a stack with its key; by default GET without a body, and POST with one. */
export async function askStack(
  { url, apiKey }: Pick<Stack, 'url' | 'apiKey'>,
  path: string,
  body: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<TestAnswer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status, headers, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined };
}
