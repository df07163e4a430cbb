import type { Protocol } from 'puppeteer-core';
import type { Tab } from './open-tab.ts';

const WORLD = 'gleaner';

/** Chromium's errors for a document that was replaced during a command. */
const REPLACED = /Cannot find context|context was destroyed|navigated or closed|No frame for given id/;

/** The document was replaced by another one during a command. */
export class DocumentReplaced extends Error {
  override readonly name = 'DocumentReplaced';
}

/**
 * Evaluates an expression in the outermost document, or in that of a frame, in an isolated world: it sees the page's DOM, but not what the page's
 * scripts have changed in prototypes and globals. Waits for promises; the value is transferred as JSON. Throws
 * DocumentReplaced when the page goes to another document before the value is there.
 */
export async function evaluateApart<Value>(
  tab: Tab,
  expression: string,
  frameId = tab.targetId,
): Promise<Value> {
  const evaluate = async () =>
    await tab.session.send('Runtime.evaluate', {
      contextId: await createWorld(tab, frameId),
      expression,
      ...BY_VALUE,
    });
  return resultOf(await evaluate().catch(rethrow));
}

/**
 * Calls a function in an isolated world, which belongs to one document for good. The arguments are not part of the code, so
 * that its errors do not show them.
 */
export async function callApart<Value>(
  { session }: Tab,
  executionContextId: number,
  { code, args }: { readonly code: string; readonly args: readonly unknown[] },
): Promise<Value> {
  const call = { functionDeclaration: code, arguments: args.map((value) => ({ value })) };
  return resultOf(
    await session.send('Runtime.callFunctionOn', { executionContextId, ...call, ...BY_VALUE }).catch(rethrow),
  );
}

/** Returns the id of the isolated world of a frame's document, which is the same one for as long as the document stays. */
export async function createWorld({ session }: Tab, frameId: string): Promise<number> {
  const world = { frameId, worldName: WORLD };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world).catch(rethrow);
  return executionContextId;
}

const BY_VALUE = { awaitPromise: true, returnByValue: true };

function rethrow(error: Error): never {
  throw REPLACED.test(error.message) ? new DocumentReplaced(error.message, { cause: error }) : error;
}

type Evaluated = Protocol.Runtime.EvaluateResponse | Protocol.Runtime.CallFunctionOnResponse;

function resultOf({ result, exceptionDetails }: Evaluated) {
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
