import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientJob, hasEnded, type JobClient } from './job-client.ts';

/** Progress of the jobs, as their clients see it. */
export interface ProgressWatch {
  /** Notes that a fault is being injected; a standstill during it is not part of the recovery. */
  duringHarm<Result>(harm: () => Promise<Result>): Promise<Result>;
  /** Returns the longest time without progress after a fault, in milliseconds. */
  longestRecoveryMs(): number;
  stop(): Promise<void>;
}

/** Interval of polling; more frequent polling would be a load of its own. */
const POLL_MS = 1000;

/** Polls the jobs that have not finished. */
export function watchProgress(jobs: readonly Pick<ClientJob, 'history'>[], client: JobClient): ProgressWatch {
  let harms = 0;
  let lastSum = -1;
  let sinceMs = performance.now();
  let longestMs = 0;
  let isStopped = false;

  function note(open: number): void {
    const nowMs = performance.now();
    const sum = jobs.reduce(
      (total, { history }) => total + (history.at(-1)?.completedUrls ?? 0),
      jobs.length,
    );
    if (open > 0 && harms === 0) longestMs = Math.max(longestMs, nowMs - sinceMs);
    if (sum !== lastSum || open === 0 || harms > 0) sinceMs = nowMs;
    lastSum = sum;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const open = jobs.filter((job) => !hasEnded(job));
      await Promise.all(open.map((job) => client.poll(job)));
      note(open.length);
      await sleep(POLL_MS);
    }
  }
  const running = run();

  return {
    async duringHarm(harm) {
      harms += 1;
      try {
        return await harm();
      } finally {
        harms -= 1;
        sinceMs = performance.now();
      }
    },
    longestRecoveryMs: () => Math.round(longestMs),
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
