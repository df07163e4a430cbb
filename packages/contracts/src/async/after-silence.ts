/** Steps of a wait: a process that was held up for longer counts one, and reads its sockets before the next. */
const STEPS = 4;

/**
 * Calls `act` after this time, unless the returned function is called before. Time in which the process itself stood still
 * counts as one step of it: an answer in a socket is read first.
 */
export function afterSilence(ms: number, act: () => void): () => void {
  let stepsLeft = STEPS;
  const timer = setInterval(() => {
    stepsLeft -= 1;
    if (stepsLeft > 0) return;
    clearInterval(timer);
    act();
  }, ms / STEPS);
  return () => clearInterval(timer);
}
