/**
 * Loaded into a process before its own code, with `--import`: answers each message `longest-turn` of its parent with the
 * longest turn of the event loop since the last one, in CPU time of the main thread, without that of other processes.
 * A timer fires after each turn longer than its interval, so that no measured time covers two long turns. The message
 * `calibrate` is answered with the CPU time of a fixed piece of work, by which turns are compared between machines.
 */
let longestMs = 0;
let beganMs = cpuMs();

setInterval(() => {
  const nowMs = cpuMs();
  longestMs = Math.max(longestMs, nowMs - beganMs);
  beganMs = nowMs;
}, 1).unref();

process.on('message', (message) => {
  if (message === 'longest-turn') {
    process.send?.({ type: 'longest-turn', ms: longestMs });
    longestMs = 0;
  }
  if (message === 'calibrate') {
    const ms = measureWork();
    // Its own turn is not one of the service.
    beganMs = cpuMs();
    process.send?.({ type: 'calibrate', ms });
  }
});

/** Measures what services do most: texts are scanned, cut, gathered and written as JSON, more than caches hold. */
function measureWork(): number {
  const startMs = cpuMs();
  work();
  return cpuMs() - startMs;
}

function work(): void {
  const page = Array.from(
    { length: 40_000 },
    (_, index) => `<a href="/${index}">Page ${index}</a> text, 1.5 €`,
  );
  const words = new Map<string, number>();
  for (const word of page.join('\n').split(/[\s<>"/]+/)) words.set(word, (words.get(word) ?? 0) + 1);
  JSON.parse(JSON.stringify([...words, page]));
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
