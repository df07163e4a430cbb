/** Steps of a wait: a process that was held up for longer counts one, and reads its sockets before the next. */
const STEPS = 4;

/**
 * Calls `act` after this time, unless the returned function is called before. Time in which the process itself stood still
 * counts as one step of it: an answer in a socket is read first.
 */
export function afterSilence(ms: number, act: () => void): () => void {
  const timer = countDown(ms, act);
  return () => clearInterval(timer);
}

/** Returns a signal that aborts after this time, counted as by `afterSilence`; like `AbortSignal.timeout`, it keeps no process alive. */
export function signalAfterSilence(ms: number): AbortSignal {
  const late = new AbortController();
  const reason = new DOMException(`There was no answer within ${ms} ms.`, 'TimeoutError');
  countDown(ms, () => late.abort(reason)).unref();
  return late.signal;
}

function countDown(ms: number, act: () => void): NodeJS.Timeout {
  let stepsLeft = STEPS;
  const timer = setInterval(() => {
    stepsLeft -= 1;
    if (stepsLeft > 0) return;
    clearInterval(timer);
    act();
  }, ms / STEPS);
  return timer;
}
