import type { Tab } from './open-tab.ts';

const WORLD = 'gleaner';

/**
 * Evaluates an expression in the outermost document, in a world of its own: it sees the page's DOM, and none of what the
 * page's scripts have made of prototypes and globals. Waits for promises; the value crosses as JSON. Rejects when the
 * document is replaced meanwhile.
 */
export async function evaluateApart<Value>(tab: Tab, expression: string): Promise<Value> {
  const { session, targetId } = tab;
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: targetId,
    worldName: WORLD,
  });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
