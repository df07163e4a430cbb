import { createReadStream, createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { StartupError } from '@gleaner/config';

/** Larger pieces cost fewer calls of zlib. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Writes lines to a compressed file that only its owner can read; it appears under its name when it is complete. Returns
 * its size. Throws a StartupError when the file exists.
 */
export async function writeArchive(file: string, lines: AsyncIterable<string>): Promise<number> {
  if (await isThere(file)) {
    throw new StartupError(`The file ${file} exists.`, {
      suggestion: 'Choose another name, or remove it first.',
    });
  }
  const part = `${file}.part`;
  try {
    await pipeline(
      Readable.from(inPieces(lines)),
      createGzip({ level: 4 }),
      createWriteStream(part, { mode: 0o600, flush: true }),
    );
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return (await stat(file)).size;
}

/** Bounds on an archive to read, far above the output of `backup create`. */
export interface ArchiveBounds {
  /** Characters of a line: a document has 16 MiB at most, and JSON takes up to six characters for a byte of it. */
  readonly maxLine: number;
  /** Characters for each compressed byte, once there are many. */
  readonly maxRatio: number;
  /** Characters from which the ratio counts. */
  readonly unchecked: number;
}

const BOUNDS: ArchiveBounds = { maxLine: 128 * 1024 * 1024, maxRatio: 250, unchecked: 256 * 1024 * 1024 };

/** Reads the lines of a compressed file. Throws a StartupError when it cannot be read, decompressed or held. */
export async function* readArchiveFile(file: string, bounds = BOUNDS): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = createGunzip({ chunkSize: PIECE_CHARACTERS });
  source.on('error', (error) => text.destroy(error)).pipe(text);
  text.setEncoding('utf8');
  // readline would also end lines at characters that JSON may contain, such as U+2028.
  let pieces: string[] = [];
  let lineLength = 0;
  let total = 0;
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      total += chunk.length;
      const [first = '', ...lines] = chunk.split('\n');
      const last = lines.pop();
      pieces.push(first);
      lineLength += first.length;
      if (last !== undefined) {
        yield pieces.join('');
        yield* lines;
        pieces = [last];
        lineLength = last.length;
      }
      if (lineLength > bounds.maxLine) throw new Error('a line is longer than any document');
      if (total > bounds.unchecked + text.bytesWritten * bounds.maxRatio)
        throw new Error('it holds far more than an archive of its size');
    }
  } catch (error) {
    throw new StartupError(
      `The file ${file} cannot be read (${error instanceof Error ? error.message : error}).`,
      {
        suggestion: 'Check its name, and use another archive if it is damaged.',
        cause: error,
      },
    );
  } finally {
    source.destroy();
  }
  if (lineLength > 0) yield pieces.join('');
}

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
