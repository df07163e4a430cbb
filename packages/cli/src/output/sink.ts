import { once } from 'node:events';
import { createWriteStream, openSync, realpathSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { CommandError } from '../exit-codes.ts';
import { printableParts } from '../terminal.ts';

/** Target of the output: the standard output, or a file. */
export interface Sink {
  readonly isTty: boolean;
  readonly columns: number;
  /** Writes what is our own as it is, and the data; resolves when more can be written. */
  write(data: string | Uint8Array, own?: string): Promise<void>;
  /** Completes the output; a file is there only now. */
  close(): Promise<void>;
  /** Leaves no part of a file behind. */
  abort(): Promise<void>;
}

/** Thrown when the reader of a pipe has seen enough: nothing is wrong. */
export class BrokenPipe extends Error {}

/**
 * Writes to the standard output at the pace of its reader. A terminal gets nothing that it would obey, whatever the form of
 * the output; a pipe gets the bytes as they are.
 */
export function openStdout(stdout: NodeJS.WriteStream): Sink {
  const failure = failureOf(stdout);
  const isTty = stdout.isTTY === true;
  const toPrintable = printableParts();
  return {
    isTty,
    columns: stdout.columns ?? 80,
    async write(data, own = '') {
      if (own) await writeTo(stdout, own, failure);
      await writeTo(stdout, isTty ? toPrintable(data) : data, failure);
    },
    async close() {},
    async abort() {},
  };
}

/**
 * Writes to a file beside the target, and gives it its name when it is complete. A target that is not a plain file, such
 * as a pipe or a device, is written to directly. Throws at once when the file cannot be opened: no work was done in vain.
 */
export function openFile(path: string): Sink {
  const target = targetOf(path);
  const part = target.isPlain ? `${target.path}.${process.pid}.part` : target.path;
  // A pipe opens when it has a reader, which may take any time.
  const stream = createWriteStream(part, target.isPlain ? { fd: open(part, path) } : {});
  const failure = failureOf(stream).catch((error: NodeJS.ErrnoException) => {
    throw describe(error, path);
  });
  failure.catch(() => {});
  return {
    isTty: false,
    columns: 80,
    async write(data, own = '') {
      if (own) await writeTo(stream, own, failure);
      await writeTo(stream, data, failure);
    },
    async close() {
      stream.end();
      await Promise.race([once(stream, 'close'), failure]);
      if (stream.errored) await failure;
      if (target.isPlain) await rename(part, target.path);
    },
    async abort() {
      stream.destroy();
      if (target.isPlain) await rm(part, { force: true });
    },
  };
}

function open(part: string, path: string): number {
  try {
    return openSync(part, 'w');
  } catch (error) {
    throw describe(error as NodeJS.ErrnoException, path);
  }
}

function describe({ code = '' }: Pick<NodeJS.ErrnoException, 'code'>, path: string): CommandError {
  const [reason, suggestion] = REASONS[code] ?? [code, 'Write to another place.'];
  return new CommandError(`${path} could not be written (${reason}).`, { suggestion });
}

/** Follows links, so that the file they lead to is replaced and not the link. */
function targetOf(path: string): { path: string; isPlain: boolean } {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw describe({ code: 'EISDIR' }, path);
  return found ? { path: realpathSync(path), isPlain: found.isFile() } : { path, isPlain: true };
}

/** Meanings of the errors of a file system, and what to do. */
const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['no space is left on the device', 'Free some space, or write to another place.'],
  ENOENT: ['there is no such folder', 'Create the folder first, or write to another place.'],
  ENOTDIR: ['a part of the path is not a folder', 'Correct the path.'],
  EACCES: ['no permission', 'Write to a folder of your own.'],
  EISDIR: ['it is a folder', 'Add the name of a file.'],
  EROFS: ['the file system is read-only', 'Write to another place.'],
};

/** Rejects with the first error of the stream. */
function failureOf(stream: Writable): Promise<never> {
  const failure = new Promise<never>((_resolve, reject) => {
    stream.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EPIPE' ? new BrokenPipe() : error),
    );
  });
  failure.catch(() => {});
  return failure;
}

async function writeTo(stream: Writable, data: string | Uint8Array, failure: Promise<never>): Promise<void> {
  if (stream.destroyed || stream.errored) await failure;
  if (stream.write(data)) return;
  await Promise.race([once(stream, 'drain'), failure]);
}
