import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterSilence } from '@gleaner/contracts';
import type { HttpResponse } from '../http/http-stack.ts';
import { type Decoder, decodersFor, feedBeginning, MAX_CODINGS } from './content-codings.ts';
import { BEGINNING_BYTES, type ChooseSink, type MakeRoom, readBody } from './read-body.ts';
import type { Semaphore } from './semaphore.ts';

/**
 * Treatment of a body over the cap: it is refused, or its beginning is kept (`truncate`). With `cut`, no more of any body is
 * read than what arrives at once, for a client that needs only the status.
 */
export type LongBodies = 'refuse' | 'truncate' | 'cut';

/** Limits and collaborators for reading a body. */
export interface ReadScope {
  readonly limits: {
    readonly maxBytes: number;
    readonly longBodies: LongBodies;
    readonly unpacksGzip: boolean;
  };
  readonly makeRoom: MakeRoom | undefined;
  /** Only of responses with a status of success. */
  readonly chooseSink: ChooseSink | undefined;
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

/** Bytes read of an error's body: enough to recognize an anti-bot wall, which may come with any status. */
export const FAILURE_BYTES = BEGINNING_BYTES;
const FAILURE_WAIT_MS = 3_000;
/** For a client that needs only the status and the beginning of the body. */
const CUT_WAIT_MS = 500;

/**
 * Reads the whole body of a response (`readBody`), or for an error status only its beginning (`readBeginning`), so that no
 * error of the body hides the status. Waits for a beginning at most half of the remaining time, so that the status can
 * still be reported.
 */
export function readResponseBody(
  { statusCode, body, headers }: HttpResponse,
  scope: ReadScope,
): Promise<Buffer> {
  const { limits, remainingMs } = scope;
  const readUpTo = (maxBytes: number, maxWaitMs: number) =>
    readBeginning(body, headers, {
      ...scope,
      maxBytes: Math.min(maxBytes, limits.maxBytes),
      maxWaitMs: Math.max(0, Math.min(maxWaitMs, Math.floor(remainingMs() / 2))),
    });
  const { longBodies, ...rest } = limits;
  if (longBodies === 'cut') return readUpTo(limits.maxBytes, CUT_WAIT_MS);
  if (needsBeginningOnly({ statusCode }, limits)) return readUpTo(FAILURE_BYTES, FAILURE_WAIT_MS);
  return readBody(body, headers, { ...scope, ...rest, longBodies });
}

/** Tells whether only the beginning of a response's body is read, so that an error of the body does not matter. */
export function needsBeginningOnly(
  { statusCode }: Pick<HttpResponse, 'statusCode'>,
  { longBodies }: Pick<ReadScope['limits'], 'longBodies'>,
): boolean {
  return longBodies === 'cut' || statusCode < 200 || statusCode >= 300;
}

interface BeginningLimits {
  /** On the wire, and after each decoding. */
  readonly maxBytes: number;
  /** Longest wait for all of it. */
  readonly maxWaitMs: number;
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
}

/**
 * Reads and decodes the beginning of a body; ignores errors and everything after it. Throws only the signal's reason.
 */
async function readBeginning(
  source: Readable,
  headers: HttpResponse['headers'],
  { maxBytes, maxWaitMs, decoding, signal }: BeginningLimits,
): Promise<Buffer> {
  let bytes = await takeBeginning(source, maxBytes, maxWaitMs);
  signal.throwIfAborted();
  const decoders = decodersFor(headers['content-encoding']);
  if (bytes.length === 0 || decoders.length === 0 || decoders.length > MAX_CODINGS) return bytes;
  using _place = await decoding.acquire(signal);
  for (const decoder of decoders) bytes = await decodeBeginning(bytes, decoder, maxBytes);
  return bytes;
}

async function takeBeginning(source: Readable, maxBytes: number, maxWaitMs: number): Promise<Buffer> {
  const enough = new AbortController();
  const beginning = new Beginning(maxBytes);
  source.on('data', (chunk: Buffer) => {
    if (!beginning.add(chunk)) enough.abort();
  });
  const stopWaiting = afterSilence(maxWaitMs, () => enough.abort());
  // The bytes read so far are kept, whether the body ended or failed.
  await finished(source, { writable: false, signal: enough.signal }).catch(() => {});
  stopWaiting();
  source.pause();
  return beginning.join();
}

async function decodeBeginning(bytes: Buffer, decoder: Decoder, maxBytes: number): Promise<Buffer> {
  const beginning = new Beginning(maxBytes);
  try {
    for await (const chunk of decoder(bytes, feedBeginning)) {
      if (!beginning.add(chunk)) break;
    }
  } catch {
    // The rest is truncated or corrupt; the bytes decoded so far are kept.
  }
  return beginning.join();
}

class Beginning {
  readonly #chunks: Buffer[] = [];
  #missing: number;

  constructor(maxBytes: number) {
    this.#missing = maxBytes;
  }

  /** Adds a chunk, up to the limit; returns whether more is needed. */
  add(chunk: Buffer): boolean {
    this.#chunks.push(chunk.subarray(0, this.#missing));
    this.#missing = Math.max(0, this.#missing - chunk.length);
    return this.#missing > 0;
  }

  join(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
