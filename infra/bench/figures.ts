/** Returns the value below which a share (0 to 1) of the samples lies, by nearest rank; NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Percentiles of latency to show, by label. */
export const SHARES = { p50: 0.5, p95: 0.95 } as const;

/** Returns how long a piece of work took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Shows bytes in whole mebibytes. */
export function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0);
}
