import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Makes what collects the objects that have died young, in a millisecond or two. The chunks of a body are small
 * objects to V8 and large ones to the machine: by itself it lets 64 MB of them pass before it looks.
 */
export function createYoungCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');
  return () => collect({ type: 'minor' });
}
