import { percentile } from '../figures.ts';
import type { ProcessUsage } from '../processes.ts';

/** Resident memory of one process after a number of pages. */
export interface MemorySample extends Pick<ProcessUsage, 'ownBytes' | 'mappedBytes'> {
  readonly pages: number;
}

/** The memory of a process over a run, by its quarters. */
export interface MemoryVerdict {
  /** Its own memory right after garbage collections. */
  readonly keptBytes: readonly number[];
  /** Highest memory of mapped files. */
  readonly mappedBytes: readonly number[];
  /** Its highest own memory, garbage included. */
  readonly peakBytes: number;
  /** False when every quarter keeps more than the one before. */
  readonly isFlat: boolean;
}

const QUARTERS = [0, 1, 2, 3];
/** Smaller changes of retained memory are noise. */
const TOLERANCE = 1.03;
const LOW_SHARE = 0.1;

/**
 * Judges whether a process leaks. Single samples say little, because garbage between collections adds as much again. One
 * rise does not mean a leak, because a heap keeps the size of a burst; a leak rises in every quarter.
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
