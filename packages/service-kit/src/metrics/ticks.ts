/** Receives the time by which a tick was late, in milliseconds. */
type Listener = (delayMs: number) => void;

const INTERVAL_MS = 500;

const listeners = new Set<Listener>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls the listener twice a second; returns the function that ends it. All listeners of a process share one timer, so that an
 * idle process wakes up for it once, however many services it has.
 */
export function onTick(listener: Listener): () => void {
  listeners.add(listener);
  timer ??= startTicking();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function startTicking(): NodeJS.Timeout {
  let expectedAtMs = performance.now() + INTERVAL_MS;
  const tick = () => {
    const nowMs = performance.now();
    const delayMs = Math.round(nowMs - expectedAtMs);
    expectedAtMs = nowMs + INTERVAL_MS;
    for (const listener of listeners) listener(delayMs);
  };
  return setInterval(tick, INTERVAL_MS).unref();
}
