import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** After how many calls V8 compiles a function quickly, and after how many more it compiles it well. */
const FLAGS = [
  '--invocation-count-for-maglev=50',
  '--invocation-count-for-turbofan=200',
  '--minimum-invocations-after-ic-update=50',
];

/**
 * Has V8 compile what a service does after some hundred requests in place of thousands: a request calls most functions
 * once. To be called when the process is ready, as docs/decisions/compilation.md says.
 */
export function optimiseSooner(): void {
  // The cached modules are good for the flags alone that they were compiled with.
  flushCompileCache();
  for (const flag of FLAGS) setFlagsFromString(flag);
}
