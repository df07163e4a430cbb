/** Milliseconds. */
const CHECK_EVERY = 1000;

/**
 * Resolves when the parent process has ended: a parent killed with SIGKILL passes on no signal, and the
 * services must not outlive it unseen. Keeps no process alive.
 */
export function untilParentEnds(): Promise<void> {
  const parent = process.ppid;
  return new Promise((done) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      done();
    }, CHECK_EVERY);
    timer.unref();
  });
}
