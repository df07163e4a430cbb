import type { Job } from '@gleaner/client';
import { describeDuration } from '../parts/marks/describe-distance.ts';

/** Progress of a job at a time. */
export interface Sample {
  readonly atMs: number;
  readonly completedUrls: number;
}

/** Samples of a running job are compared over this time. */
const WINDOW_MS = 30_000;
/** Below this, a rate says little. */
const MIN_SPAN_MS = 2_000;

/** Returns the samples with one more, without those before the window. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const recent = samples.filter(({ atMs }) => atMs > sample.atMs - WINDOW_MS);
  // The last one before the window bounds it.
  const before = samples.length > recent.length ? samples.at(-recent.length - 1) : undefined;
  return [...(before ? [before] : []), ...recent, sample];
}

/**
 * Returns the rate of a running job and the time that is left, in words: over the last half minute where samples tell it,
 * else since the start. Undefined while neither says anything.
 */
export function describePace(job: Job, nowMs: number, samples: readonly Sample[] = []): string | undefined {
  if (job.status !== 'running' || !job.startedAt) return undefined;
  const [first] = samples;
  const last = samples.at(-1);
  const isRecent = first && last && last.atMs - first.atMs >= MIN_SPAN_MS;
  const from = isRecent ? first : { atMs: Date.parse(job.startedAt), completedUrls: 0 };
  const to = isRecent ? last : { atMs: nowMs, completedUrls: job.completedUrls };
  const spanMs = to.atMs - from.atMs;
  const pages = to.completedUrls - from.completedUrls;
  if (spanMs < MIN_SPAN_MS) return undefined;
  if (pages <= 0) return isRecent ? 'no page finished lately' : undefined;
  const perMs = pages / spanMs;
  const left = job.totalUrls - job.completedUrls;
  const leftMs = left / perMs;
  // Of a crawl, further pages may still be found.
  const words = job.crawl ? 'for the pages known so far' : 'left';
  return `${describeRate(perMs)}${left > 0 ? `, about ${describeDuration(Math.max(1_000, leftMs))} ${words}` : ''}`;
}

function describeRate(perMs: number): string {
  const perSecond = perMs * 1_000;
  if (perSecond >= 10) return `${Math.round(perSecond)} pages/s`;
  if (perSecond >= 1) return `${perSecond.toFixed(1)} pages/s`;
  return `${(perSecond * 60).toFixed(perSecond * 60 >= 10 ? 0 : 1)} pages/min`;
}
