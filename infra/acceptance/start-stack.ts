import { startTestStack } from '../stack/test/test-stack.ts';
import { publish } from './join-stack.ts';

/**
 * Starts the stack that all tests of this folder share, before the first of them; returns after it is ready.
 * @public
 */
export default async function startSharedStack(): Promise<void> {
  const shared = await startTestStack({}, ['127.0.0.1']);
  publish(shared.stack);
  stopping.defer(() => shared[Symbol.asyncDispose]());
}

/** Stops what has been started. jest loads the set-up and the end of a run into one process. */
export const stopping = new AsyncDisposableStack();
