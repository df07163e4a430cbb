/**
 * Loaded into a process before its own code, with `--import`: answers each message `longest-turn` of its parent with the
 * longest turn of the event loop since the last one, in milliseconds of CPU time of the main thread, which other processes
 * do not add to. A timer fires after each turn that takes longer than it, so that no measured time has two of those.
 */
let longestMs = 0;
let beganMs = cpuMs();

setInterval(() => {
  const nowMs = cpuMs();
  longestMs = Math.max(longestMs, nowMs - beganMs);
  beganMs = nowMs;
}, 1).unref();

process.on('message', (message) => {
  if (message !== 'longest-turn') return;
  process.send?.({ type: 'longest-turn', ms: longestMs });
  longestMs = 0;
});

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
