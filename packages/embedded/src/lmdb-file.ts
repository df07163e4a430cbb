import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from 'lmdb';
import { errorCode, errorMessage } from './error-code.ts';

/** Offsets in the first two pages of LMDB's data format 2, as lmdb-js 3.5 builds it for 64-bit machines. */
const META = { flags: 18, magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152 };
const META_BYTES = 160;
const META_FLAG = 0x08;
const MAGIC = 0xbeefc0de;
const FORMAT = 2;
/** LMDB's own errors for content that contradicts itself: page not found, corrupted, panic, version, not a database. */
const DAMAGE = { lowest: -30_797, highest: -30_793 };
/** LMDB's error for a read that met a page with impossible contents ("Invalid dupdata flag"). */
const BAD_TRANSACTION = -30_782;

/** State of a data file, as far as its first pages show it. */
export type LmdbFileState = 'missing' | 'unreadable' | 'cut short' | 'sound';

/**
 * Looks at the first pages of a data file, which LMDB trusts: it reads outside of its memory map, and the process dies,
 * when they are overwritten or the file has lost its end.
 */
export function inspectLmdbFile(path: string): LmdbFileState {
  if (!existsSync(path)) return 'missing';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return 'missing';
    const first = readMeta(file, 0);
    const second = first && readMeta(file, first.pageSize);
    if (!first || !second || first.pageSize !== second.pageSize) return 'unreadable';
    const newest = first.transaction > second.transaction ? first : second;
    return size < (newest.lastPage + 1) * newest.pageSize ? 'cut short' : 'sound';
  } finally {
    closeSync(file);
  }
}

/**
 * Extends a truncated file to the size in its first pages, without using disk space. A sound file may end
 * before unused pages; in a damaged one LMDB then finds empty pages and reports them.
 */
export function restoreLength(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const first = readMeta(file, 0);
    const second = first && readMeta(file, first.pageSize);
    if (!first || !second) return;
    const pages = Math.max(first.lastPage, second.lastPage) + 1;
    if (fstatSync(file).size < pages * first.pageSize) ftruncateSync(file, pages * first.pageSize);
  } finally {
    closeSync(file);
  }
}

/** Returns the error for a damaged data file, with what to do. */
export function damagedDataFile(path: string, problem: string, options?: ErrorOptions): DamagedFileError {
  const folder = dirname(path);
  return new DamagedFileError(
    path,
    problem,
    `Restore the folder ${folder} from a backup, or move it away to start with an empty one, into which npm run backup -- restore <file> brings an archive.`,
    options,
  );
}

/** Runs work on a data file; an error of LMDB about its content becomes a `DamagedFileError`. */
export function namingDamage<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isDamage(Number(errorCode(error)))) throw error;
    throw damagedDataFile(path, errorMessage(error), { cause: error });
  }
}

function isDamage(code: number): boolean {
  return (code >= DAMAGE.lowest && code <= DAMAGE.highest) || code === BAD_TRANSACTION;
}

/** Throws a `DamagedFileError` when a table holds less than it should: LMDB ends a scan at a page that it cannot read. */
export function checkEntryCount(path: string, table: Database<Buffer, Buffer>): void {
  const { entryCount } = table.getStats() as { entryCount: number };
  const found = namingDamage(path, () => table.getKeysCount({}));
  if (found !== entryCount)
    throw damagedDataFile(path, `${entryCount - found} of its ${entryCount} entries are missing`);
}

/** Bound of a walk through a data file, which reads all of it. */
const WALK_MS = 120_000;

/**
 * Throws a `DamagedFileError` for a file that has lost pages in use. Another process walks through its
 * tables, because LMDB ends the process at such a page.
 */
export function requireWalkable(path: string, tables: readonly string[]): void {
  const script = fileURLToPath(new URL('./walk-lmdb-process.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, dirname(path), ...tables], {
    timeout: WALK_MS,
    env: {},
    encoding: 'utf8',
  });
  if (status === 0) return;
  const [reason] = /^Error: (.*)$/m.exec(stderr)?.slice(1) ?? [];
  throw damagedDataFile(path, reason ?? 'pages that are used are missing');
}

interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
}

function readMeta(file: number, at: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(file, bytes, 0, META_BYTES, at) < META_BYTES) return undefined;
  const isMeta =
    (bytes.readUInt16LE(META.flags) & META_FLAG) !== 0 &&
    bytes.readUInt32LE(META.magic) === MAGIC &&
    (bytes.readUInt32LE(META.version) & 0xffff) === FORMAT;
  if (!isMeta) return undefined;
  return {
    pageSize: bytes.readUInt32LE(META.pageSize),
    lastPage: Number(bytes.readBigUInt64LE(META.lastPage)),
    transaction: bytes.readBigUInt64LE(META.transaction),
  };
}

/**
 * Address space for LMDB's file; only the pages read take memory. LMDB maps a file that outgrows its map once
 * more, at twice the size, and keeps the earlier maps: a database that begins small would have its pages
 * resident several times over.
 */
export const MAP_BYTES = 16 * 1024 ** 3;

/** Names an unusable data file and the remedy. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';

  constructor(path: string, problem: string, remedy: string, options?: ErrorOptions) {
    super(`The file ${path} is damaged: ${problem}. ${remedy}`, options);
  }
}
