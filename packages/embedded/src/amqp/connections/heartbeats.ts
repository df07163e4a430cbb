/** The connection as its heartbeats see it. */
export interface HeartbeatDeps {
  readonly bytesRead: () => number;
  readonly bytesWritten: () => number;
  readonly beat: () => void;
  /** Called when nothing has arrived for two intervals: the peer is gone. */
  readonly onSilence: () => void;
}

/**
 * Sends a heartbeat when half an interval has passed without other traffic, and detects that the
 * peer has been silent for two (AMQP 0-9-1, section 4.2.7). Returns a function that stops both.
 */
export function startHeartbeats(intervalSeconds: number, deps: HeartbeatDeps): () => void {
  if (intervalSeconds === 0) return () => {};
  let [lastRead, lastWritten, silentHalves] = [deps.bytesRead(), deps.bytesWritten(), 0];
  const timer = setInterval(() => {
    const [read, written] = [deps.bytesRead(), deps.bytesWritten()];
    silentHalves = read === lastRead ? silentHalves + 1 : 0;
    if (silentHalves >= 4) return deps.onSilence();
    if (written === lastWritten) deps.beat();
    [lastRead, lastWritten] = [read, deps.bytesWritten()];
  }, intervalSeconds * 500);
  timer.unref();
  return () => clearInterval(timer);
}
