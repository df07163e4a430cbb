import { setTimeout as sleep } from 'node:timers/promises';
import type { JobState } from '@gleaner/contracts';
import { describeJob, type StoredJob } from '@gleaner/storage';

/** How a job is followed. */
export interface FollowOptions {
  /** The job as it is now; null when it is gone. */
  readonly read: () => Promise<StoredJob | null>;
  readonly isOver: (state: JobState) => boolean;
  readonly signal: AbortSignal;
  /** How often the job is looked at; default 500. */
  readonly intervalMs?: number;
}

/** A comment this often shows proxies and callers that the stream lives. */
const HEARTBEAT_MS = 15_000;

/**
 * The progress of a job as server-sent events (HTML Standard, section 9.2): `progress` whenever it has changed, `end`
 * when it has ended. Ends then, when the signal aborts, and when the job is gone.
 */
export async function* followJob(first: StoredJob, options: FollowOptions): AsyncGenerator<string> {
  const { read, isOver, signal, intervalMs = 500 } = options;
  let said = '';
  let saidAtMs = performance.now();
  for (let job: StoredJob | null = first; job && !signal.aborted; job = await read()) {
    const data = JSON.stringify(describeJob(job));
    if (isOver(job.status)) return yield eventOf('end', data);
    const isSilent = data === said;
    const isHeartbeatDue = performance.now() - saidAtMs >= HEARTBEAT_MS;
    if (!isSilent) yield eventOf('progress', data);
    else if (isHeartbeatDue) yield ': still here\n\n';
    if (!isSilent || isHeartbeatDue) saidAtMs = performance.now();
    said = data;
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
  }
}

function eventOf(name: 'progress' | 'end', data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
