import { basename, dirname } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

/** Shows a line to the person at the terminal. */
export type Announce = (message: string) => void;

/** A file that has grown to this size is renamed to `….log.1`, and the older ones move on by one. */
const MAX_FILE_SIZE = '10M';
const KEPT_FILES = 3;
/** Bytes waiting for the disk; above it lines are dropped, so that a stuck disk cannot fill the memory. */
const MAX_BUFFERED = 4 * 1024 * 1024;
const REOPEN_AFTER_MS = 1000;

/** A log file of bounded size. While the disk is full, lines are dropped; writing resumes when there is space again. */
export class LogFile {
  readonly #path: string;
  readonly #announce: Announce;
  #stream: RotatingFileStream | undefined;
  #isFailing = false;
  #isClosed = false;
  #reopenAt = 0;

  constructor(path: string, announce: Announce) {
    this.#path = path;
    this.#announce = announce;
  }

  /** Appends to the file. Never throws and never waits. */
  write(chunk: Buffer): void {
    const stream = this.#open();
    if (!stream || stream.writableLength > MAX_BUFFERED) return;
    stream.write(chunk, (error) => {
      if (!error) this.#noteSuccess();
    });
  }

  /** Closes the file for good after what was written to it; resolves also when that failed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const stream = this.#stream;
    if (!stream || stream.destroyed) return;
    await new Promise<void>((done) => {
      stream.once('close', done);
      stream.end();
    });
  }

  #open(): RotatingFileStream | undefined {
    if (this.#isClosed) return undefined;
    if (this.#stream && !this.#stream.destroyed) return this.#stream;
    if (Date.now() < this.#reopenAt) return undefined;
    this.#reopenAt = Date.now() + REOPEN_AFTER_MS;
    const name = basename(this.#path);
    const stream = createStream((index) => (index ? `${name}.${Number(index)}` : name), {
      path: dirname(this.#path),
      size: MAX_FILE_SIZE,
      rotate: KEPT_FILES,
    });
    stream.on('error', (error) => this.#noteFailure(error));
    this.#stream = stream;
    return stream;
  }

  #noteFailure(error: NodeJS.ErrnoException): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#announce(
      `cannot write ${this.#path} (${error.code ?? error.message}); its lines are lost until it can`,
    );
  }

  #noteSuccess(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#announce(`writes ${this.#path} again`);
  }
}
