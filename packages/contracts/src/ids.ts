import { createHash, randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** First part of an id, which names its kind. */
export type IdPrefix =
  | 'req'
  | 'key'
  | 'acc'
  | 'job'
  | 'sch'
  | 'evt'
  | 'del'
  | 'snp'
  | 'prof'
  | 'fil'
  | 'dst'
  | 'chn'
  | 'rec';

/**
 * Creates an id such as `req_01jd…`: unique, safe in paths and headers, and sortable by time. Those that one process creates sort in
 * the order of their creation, even within a millisecond and when the clock is set back.
 */
export function createId<Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` {
  return `${prefix}_${nextUlid(Date.now()).toLowerCase()}`;
}

/** Returns the beginning of the ids of the files that one attempt at a page of a job keeps. */
export function fileIdPrefixOf(pageId: string, attempt: number): string {
  return `fil_${createHash('sha256').update(`${pageId}#${attempt}`).digest('hex').slice(0, 16)}`;
}

/** Creates an id for a file that an attempt at a page of a job keeps: each of its requests may begin one. */
export function createFileId(pageId: string, attempt: number): string {
  return fileIdPrefixOf(pageId, attempt) + createId('fil').slice(-10);
}

/** Secure random bytes, drawn by the thousand, because drawing them one by one costs more than the rest of an id. */
const pool = new Uint8Array(4096);
let unused = 0;

/** Returns a number from 0 up to 1, in steps fine enough to choose one of 32 characters. */
function nextRandom(): number {
  if (unused === 0) unused = randomFillSync(pool).length;
  unused -= 1;
  return (pool[unused] ?? 0) / 256;
}

const nextUlid = monotonicFactory(nextRandom);

/** Returns the job of a page: the id of a page is the id of its job, a colon and its index. */
export function jobIdOf(pageId: string): string {
  return pageId.slice(0, pageId.lastIndexOf(':'));
}

/** The account used when no other is named. */
export const DEFAULT_ACCOUNT_ID = 'acc_default';
