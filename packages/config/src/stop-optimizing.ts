import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** The compilers that work in threads of their own. */
const FLAGS = ['--no-sparkplug', '--no-maglev', '--no-turbofan'];

/**
 * Makes V8 compile nothing more in the background. Call it when the process begins to stop: Node 24 may never end a process
 * in which such a compilation waits for a collection of garbage (https://github.com/nodejs/node/issues/64274).
 */
export function stopOptimizing(): void {
  // Cached modules are valid only for the flags that they were compiled with.
  flushCompileCache();
  for (const flag of FLAGS) setFlagsFromString(flag);
}
