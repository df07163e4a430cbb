import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { errorCode } from './error-code.ts';

const { ENOSPC, EDQUOT, EFBIG, EIO } = constants.errno;
const FULL: ReadonlySet<unknown> = new Set([ENOSPC, EDQUOT, EFBIG, 'ENOSPC', 'EDQUOT', 'EFBIG']);
/** A volume with less than this left cannot take a batch of writes. */
const MIN_FREE_BYTES = 1024 * 1024;

/** Returns the space that a directory's volume has left. */
export type FreeBytes = (directory: string) => number;

/**
 * Tells whether a write to a directory failed for lack of disk space, a quota or a file-size limit. LMDB reports a
 * write that was cut short by a full disk as EIO, so for that code the free space decides.
 */
export function isDiskFull(error: unknown, directory: string, freeBytes: FreeBytes = readFreeBytes): boolean {
  const code = errorCode(error);
  return FULL.has(code) || (code === EIO && freeBytes(directory) < MIN_FREE_BYTES);
}

function readFreeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
