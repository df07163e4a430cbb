import { stopping } from './start-stack.ts';

/**
 * Stops the shared stack after the last test.
 * @public
 */
export default async function stopSharedStack(): Promise<void> {
  await stopping.disposeAsync();
}
