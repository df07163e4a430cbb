import type { ProcessUsage } from '../hostile/process-usage.ts';
import { percentile } from '../percentile.ts';

/** What one process had resident when so many pages were done. */
export interface MemorySample extends Pick<ProcessUsage, 'ownBytes' | 'mappedBytes'> {
  readonly pages: number;
}

/** The memory of a process over a run, by its quarters. */
export interface MemoryVerdict {
  /** Its own where garbage has just been collected. */
  readonly keptBytes: readonly number[];
  /** Of files, at most. */
  readonly mappedBytes: readonly number[];
  /** Its own at most, garbage included. */
  readonly peakBytes: number;
  /** False when every quarter keeps more than the one before. */
  readonly isFlat: boolean;
}

const QUARTERS = [0, 1, 2, 3];
/** By less than this, what is kept goes up and down. */
const TOLERANCE = 1.03;
const LOW_SHARE = 0.1;

/**
 * Says whether a process keeps something of every page. Moments say little: between collections garbage adds as much
 * again. Nor does one rise: a heap that had to hold a burst keeps its size, once; what leaks rises in every quarter.
 */
export function judgeMemory(samples: readonly MemorySample[], totalPages: number): MemoryVerdict {
  const quarters = QUARTERS.map((quarter) => {
    const begin = (totalPages * quarter) / 4;
    return samples.filter(({ pages }) => pages > begin && pages <= begin + totalPages / 4);
  });
  const keptBytes = quarters.map((quarter) =>
    percentile(
      quarter.map(({ ownBytes }) => ownBytes),
      LOW_SHARE,
    ),
  );
  return {
    keptBytes,
    mappedBytes: quarters.map((quarter) => Math.max(...quarter.map(({ mappedBytes }) => mappedBytes))),
    peakBytes: Math.max(...samples.map(({ ownBytes }) => ownBytes)),
    isFlat: keptBytes.slice(1).some((bytes, before) => bytes <= (keptBytes[before] ?? 0) * TOLERANCE),
  };
}
