import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** V8's flags for the calls of a function before Maglev compiles it, before TurboFan does, and after its types last changed. */
export const THRESHOLDS = {
  'invocation-count-for-maglev': { early: 50, usual: 400 },
  'invocation-count-for-turbofan': { early: 200, usual: 3000 },
  'minimum-invocations-after-ic-update': { early: 50, usual: 500 },
} as const;

/** When a process counts as warm. */
interface WarmUp {
  /** CPU that it has used since it was ready. */
  readonly cpuMs: number;
  readonly checkEveryMs: number;
}

const WARM_UP: WarmUp = { cpuMs: 20_000, checkEveryMs: 5000 };

/**
 * Makes V8 optimize the code of a service after some hundred requests instead of thousands, until the process is warm: a
 * request calls most functions once. Call it when the process is ready: see docs/decisions/compilation.md.
 */
export function optimizeSooner({ cpuMs, checkEveryMs }: WarmUp = WARM_UP): void {
  // Cached modules are valid only for the flags that they were compiled with.
  flushCompileCache();
  setThresholds('early');
  const cold = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(cold);
    if ((user + system) / 1000 < cpuMs) return;
    clearInterval(timer);
    setThresholds('usual');
  }, checkEveryMs).unref();
}

function setThresholds(time: 'early' | 'usual'): void {
  for (const [flag, calls] of Object.entries(THRESHOLDS)) setFlagsFromString(`--${flag}=${calls[time]}`);
}

/** The compilers that work in threads of their own. */
const FLAGS = ['--no-sparkplug', '--no-maglev', '--no-turbofan'];

/**
 * Makes V8 compile nothing more in the background. Call it when the process begins to stop: Node may never end a process
 * in which such a compilation waits for a collection of garbage (https://github.com/nodejs/node/issues/64274).
 */
export function stopOptimizing(): void {
  // Cached modules are valid only for the flags that they were compiled with.
  flushCompileCache();
  for (const flag of FLAGS) setFlagsFromString(flag);
}
