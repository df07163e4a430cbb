import { once } from 'node:events';
import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { CommandError } from '../exit-codes.ts';

/** Target of the output: the standard output, or a file. */
export interface Sink {
  readonly isTty: boolean;
  readonly columns: number;
  /** Resolves when more can be written. */
  write(data: string | Uint8Array): Promise<void>;
  /** Completes the output; a file is there only now. */
  close(): Promise<void>;
  /** Leaves no part of a file behind. */
  abort(): Promise<void>;
}

/** Thrown when the reader of a pipe has seen enough: nothing is wrong. */
export class BrokenPipe extends Error {}

/** Writes to the standard output at the pace of its reader. */
export function openStdout(stdout: NodeJS.WriteStream): Sink {
  const failure = failureOf(stdout);
  return {
    isTty: stdout.isTTY === true,
    columns: stdout.columns ?? 80,
    write: (data) => writeTo(stdout, data, failure),
    async close() {},
    async abort() {},
  };
}

/**
 * Writes to a file beside the target, and gives it its name when it is complete. A target that is not a plain file, such
 * as a pipe or a device, is written to directly.
 */
export function openFile(path: string): Sink {
  const target = targetOf(path);
  const part = target.isPlain ? `${target.path}.${process.pid}.part` : target.path;
  const stream = createWriteStream(part);
  const failure = failureOf(stream).catch((error: NodeJS.ErrnoException) => {
    const reason = REASONS[error.code ?? ''] ?? error.code ?? error.message;
    throw new CommandError(`${path} could not be written (${reason}).`, {
      suggestion: 'Free some space, or write to another place with --output.',
    });
  });
  failure.catch(() => {});
  return {
    isTty: false,
    columns: 80,
    write: (data) => writeTo(stream, data, failure),
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

/** Follows links, so that the file they lead to is replaced and not the link. */
function targetOf(path: string): { path: string; isPlain: boolean } {
  try {
    return { path: realpathSync(path), isPlain: statSync(path).isFile() };
  } catch {
    return { path, isPlain: true };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  ENOENT: 'there is no such folder',
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
  EROFS: 'the file system is read-only',
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
