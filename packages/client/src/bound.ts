import { GleanerError } from './error.ts';

/** Ends a call when its caller cancels it or its time has run out. */
export interface Bound {
  readonly signal: AbortSignal;
  readonly remainingMs: number;
  /** Time that a restart gives. */
  timeoutMs: number;
  /** Starts the time again, as for the next part of a stream. */
  restart(): void;
  /** Stops the clock until it is restarted, as while the caller works on a part. */
  pause(): void;
  /** Resolves after the milliseconds, and rejects when the bound ends. */
  sleep(ms: number): Promise<void>;
  /** Lets go of the timer and the caller's signal. */
  release(): void;
}

/** Starts a bound of this many milliseconds. */
export function startBound(timeoutMs: number, caller: AbortSignal | undefined): Bound {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const cancel = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', cancel, { once: true });
  let endsAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => clearTimeout(timer);
  const restart = () => {
    pause();
    const { timeoutMs: ms } = bound;
    endsAtMs = performance.now() + ms;
    timer = setTimeout(() => controller.abort(timedOut(ms)), ms);
  };
  const bound: Bound = {
    signal: controller.signal,
    timeoutMs,
    get remainingMs() {
      return endsAtMs - performance.now();
    },
    restart,
    pause,
    sleep: (ms) => sleep(ms, controller.signal),
    release() {
      pause();
      caller?.removeEventListener('abort', cancel);
    },
  };
  restart();
  return bound;
}

/** Resolves after the milliseconds; rejects with the reason of the signal. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function timedOut(timeoutMs: number): GleanerError {
  return new GleanerError(`The service did not answer within ${timeoutMs} ms.`, {
    code: 'CLIENT_TIMEOUT',
    source: 'client',
    suggestion: 'Raise timeoutMs, or check how busy the service is.',
  });
}
