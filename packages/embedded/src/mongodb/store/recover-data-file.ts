import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { damagedDataFile, inspectLmdbFile, restoreLength } from '../../lmdb-file.ts';
import { type CheckpointSlot, readCheckpoint, restoreCheckpoint } from './checkpoint.ts';

/** Result of making a data file ready to be opened. */
export interface Recovery {
  /** The first journal file whose changes have to be made again; undefined when LMDB's file holds them. */
  readonly firstJournal: number | undefined;
  /** The file had lost its end, so that its content has to be counted. */
  readonly needsCounting: boolean;
}

/**
 * Makes LMDB's file ready to be opened. Puts it back to the last checkpoint when the machine has been down since, or
 * when its first pages are damaged. Throws a `DamagedFileError` when there is nothing to put it back to.
 */
export function recoverDataFile(directory: string, bootId: string): Recovery {
  const path = join(directory, 'data.mdb');
  const checkpoint = readCheckpoint(directory);
  const state = inspectLmdbFile(path);
  if (state === 'missing') {
    if (checkpoint === undefined) return { firstJournal: undefined, needsCounting: false };
    throw damagedDataFile(path, existsSync(path) ? 'it is empty' : 'it is missing');
  }
  const firstJournal = restoreIfNeeded(directory, bootId, checkpoint, state === 'unreadable');
  const restored = inspectLmdbFile(path);
  if (restored === 'unreadable') throw damagedDataFile(path, 'its first pages are not those of a database');
  if (restored === 'cut short') restoreLength(path);
  return { firstJournal, needsCounting: restored === 'cut short' };
}

function restoreIfNeeded(
  directory: string,
  bootId: string,
  checkpoint: CheckpointSlot | undefined,
  isUnreadable: boolean,
): number | undefined {
  if (checkpoint === undefined || (checkpoint.bootId === bootId && !isUnreadable)) return undefined;
  restoreCheckpoint(directory, checkpoint);
  return checkpoint.firstJournal;
}

/** Names the current run of the machine: two that differ have a shutdown or power cut between them. */
export function readBootId(): string {
  try {
    if (process.platform === 'darwin') {
      return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], {
        encoding: 'utf8',
        timeout: 2000,
      }).trim();
    }
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
