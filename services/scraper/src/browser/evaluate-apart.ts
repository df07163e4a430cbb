import type { Tab } from './open-tab.ts';

const WORLD = 'gleaner';

/** What Chromium says of a document that went away while it was asked. */
const REPLACED = /Cannot find context|context was destroyed|navigated or closed/;

/** Another document takes the place of the one that was asked. */
export class DocumentReplaced extends Error {
  override readonly name = 'DocumentReplaced';
}

/**
 * Evaluates an expression in the outermost document, in a world of its own: it sees the page's DOM, and none of what the
 * page's scripts have made of prototypes and globals. Waits for promises; the value crosses as JSON. Throws
 * DocumentReplaced when the page goes on to another document meanwhile.
 */
export async function evaluateApart<Value>(tab: Tab, expression: string): Promise<Value> {
  const { result, exceptionDetails } = await evaluate(tab, expression).catch((fault: Error) => {
    throw REPLACED.test(fault.message) ? new DocumentReplaced(fault.message, { cause: fault }) : fault;
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

async function evaluate({ session, targetId }: Tab, expression: string) {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: targetId,
    worldName: WORLD,
  });
  return await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
}
