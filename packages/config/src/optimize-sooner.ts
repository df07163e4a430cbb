import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** Numbers of calls after which V8 compiles a function with Maglev, and after further calls with TurboFan. */
const FLAGS = [
  '--invocation-count-for-maglev=50',
  '--invocation-count-for-turbofan=200',
  '--minimum-invocations-after-ic-update=50',
];

/**
 * Makes V8 optimize the code of a service after some hundred requests instead of thousands: a request calls most
 * functions once. Call it when the process is ready: see docs/decisions/compilation.md.
 */
export function optimizeSooner(): void {
  // Cached modules are valid only for the flags that they were compiled with.
  flushCompileCache();
  for (const flag of FLAGS) setFlagsFromString(flag);
}
