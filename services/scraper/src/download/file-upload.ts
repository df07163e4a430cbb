import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@gleaner/broker';
import {
  AppError,
  backoffMs,
  createFileId,
  createId,
  defined,
  FILE_PART_BYTES,
  type FileCommand,
  type FileTraits,
  type StoredFile,
} from '@gleaner/contracts';
import type { BodySink } from '@gleaner/egress';

/** Account and job that a file belongs to. */
export interface FileOwner {
  readonly accountId: string;
  /** Only of pages of jobs. */
  readonly jobId: string | undefined;
  /** Number of the attempt at the page with this id; only of pages of jobs. */
  readonly pageAttempt: { readonly pageId: string; readonly attempt: number } | undefined;
}

/** Collaborators and limits of uploads. */
export interface UploadDeps {
  readonly broker: Pick<Broker, 'request'>;
  readonly maxFileBytes: number;
}

const STEP_TIMEOUT_MS = 10_000;
/** Tries of one step while the broker, the orchestrator or the database is away. */
const MAX_TRIES = 5;
const BACKOFF = { firstMs: 200, jitter: 'quarter' } as const;

/**
 * Sends a file to the orchestrator while it arrives, and hashes it: one part of it is sent while the next one is filled. Each
 * step can be repeated, and the file exists once the last one is answered.
 */
export class FileUpload implements BodySink {
  readonly #fileId: string;
  readonly #hash = createHash('sha256');
  readonly #owner: FileOwner;
  readonly #deps: UploadDeps;
  readonly #signal: AbortSignal;
  #part: Buffer | undefined;
  #filled = 0;
  #sending: Promise<void> | undefined;
  #sentParts = 0;
  #size = 0;

  constructor(owner: FileOwner, deps: UploadDeps, signal: AbortSignal) {
    const { pageAttempt } = owner;
    this.#fileId = pageAttempt ? createFileId(pageAttempt.pageId, pageAttempt.attempt) : createId('fil');
    this.#owner = owner;
    this.#deps = deps;
    this.#signal = signal;
  }

  /** Bytes that arrived so far. */
  get size(): number {
    return this.#size;
  }

  /** Adds bytes, and sends every part that is complete. Throws UNSUPPORTED_CONTENT over the limit, and SERVICE_UNAVAILABLE. */
  async write(bytes: Buffer): Promise<void> {
    this.#size += bytes.length;
    requireSize(this.#size, this.#deps);
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length; ) {
      this.#part ??= Buffer.allocUnsafe(FILE_PART_BYTES);
      const copied = bytes.copy(this.#part, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled === FILE_PART_BYTES) await this.#sendPart();
    }
  }

  /** Sends the rest, and makes it a file. */
  async finish(names: Pick<FileTraits, 'name' | 'contentType'>): Promise<StoredFile> {
    if (this.#filled > 0) await this.#sendPart();
    this.#part = undefined;
    await this.#sending;
    const file = { ...names, size: this.#size, sha256: this.#hash.digest('hex') };
    await this.#send({ type: 'finish', file });
    return { id: this.#fileId, ...file };
  }

  /** Has the parts deleted. Never throws: parts that stay are deleted a while later. */
  discard(): void {
    this.#part = undefined;
    if (!this.#sending) return;
    const { broker } = this.#deps;
    const command = this.#command({ type: 'discard' });
    const discarding = () => broker.request('files.commands', command, { timeoutMs: STEP_TIMEOUT_MS });
    this.#sending
      .catch(() => {})
      .then(discarding)
      .catch(() => {});
  }

  /** Sends the part once the one before it is stored. */
  async #sendPart(): Promise<void> {
    await this.#sending;
    const content = this.#part?.toString('base64', 0, this.#filled) ?? '';
    const index = this.#sentParts;
    this.#sentParts += 1;
    this.#filled = 0;
    this.#sending = this.#send({ type: 'write', index, content });
    // The next part, or the end, throws its error.
    this.#sending.catch(() => {});
  }

  async #send(step: FileCommand['step']): Promise<void> {
    const signal = this.#signal;
    const command = this.#command(step);
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#deps.broker.request('files.commands', command, { timeoutMs: STEP_TIMEOUT_MS, signal });
        return;
      } catch (error) {
        const mayPass = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
        if (!mayPass || tries >= MAX_TRIES || signal.aborted) throw error;
        await sleep(backoffMs(BACKOFF, tries - 1, Math.random()), undefined, { signal }).catch(() => {
          signal.throwIfAborted();
        });
      }
    }
  }

  #command(step: FileCommand['step']): FileCommand {
    const { accountId, jobId } = this.#owner;
    return { accountId, ...defined({ jobId }), fileId: this.#fileId, step };
  }
}

/** Throws UNSUPPORTED_CONTENT if a file of this size is not kept. */
export function requireSize(bytes: number, { maxFileBytes }: Pick<UploadDeps, 'maxFileBytes'>): void {
  if (bytes <= maxFileBytes) return;
  throw new AppError('UNSUPPORTED_CONTENT', {
    message: `The file is larger than ${Math.floor(maxFileBytes / 1_048_576)} MiB, the most that is kept.`,
    suggestion: 'Download it yourself. If you operate this service, MAX_FILE_BYTES is the limit.',
  });
}
