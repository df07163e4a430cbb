/**
 * Group commit: one flush runs at a time, and all callers while it runs share the next one, which begins after they
 * asked and so covers what they wrote.
 */
export function groupFlushes(flushOnce: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const flush = flushOnce().finally(() => {
      if (running === flush) running = undefined;
    });
    running = flush;
    return flush;
  };
  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
