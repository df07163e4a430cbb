import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** What an identifier is of; the first part of it. */
export type IdPrefix = 'req' | 'key' | 'acc' | 'job' | 'sch' | 'evt' | 'del';

/** A new identifier such as `req_01jd…`: unique, in the order of time, safe in paths and headers. */
export function createId<Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` {
  return `${prefix}_${ulid(Date.now(), nextRandom).toLowerCase()}`;
}

/** Secure random bytes, drawn by the thousand: one at a time they cost more than all the rest of an identifier. */
const pool = new Uint8Array(4096);
let unused = 0;

/** From 0 up to 1, in steps fine enough for one of 32 characters. */
function nextRandom(): number {
  if (unused === 0) unused = randomFillSync(pool).length;
  unused -= 1;
  return (pool[unused] ?? 0) / 256;
}

/** The job that a page belongs to: a page's id is its job's, a colon and its index. */
export function jobIdOf(pageId: string): string {
  return pageId.slice(0, pageId.lastIndexOf(':'));
}

/** The account of an installation that never named another. */
export const DEFAULT_ACCOUNT_ID = 'acc_default';
