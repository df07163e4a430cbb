import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';
import {
  type Decoder,
  decodeGzip,
  decodersFor,
  feedBeginning,
  feedWhole,
  isGzip,
  MAX_CODINGS,
} from './content-codings.ts';
import type { Semaphore } from './semaphore.ts';

/** Waits until this many bytes may be held, or until the signal aborts; undefined when they may be held now. */
export type MakeRoom = (bytes: number, signal: AbortSignal) => Promise<void> | undefined;

/** The beginning of a body, with the headers of its response. */
export interface BodyBeginning {
  readonly headers: IncomingHttpHeaders;
  /** All of a short body. */
  readonly bytes: Buffer;
}

/** Takes a body part by part, in order; the next part is read when the promise resolves. */
export interface BodySink {
  write(bytes: Buffer): Promise<void>;
}

/** Decides, once the beginning of a body is known, whether it is held or goes to a sink. An attempt that is repeated asks again. */
export type ChooseSink = (beginning: BodyBeginning) => Promise<BodySink | undefined>;

interface BodyLimits {
  readonly maxBytes: number;
  /** Rejects a body over the cap, or keeps its beginning. */
  readonly longBodies: 'refuse' | 'truncate';
  /** Decompresses a body that is a gzip file after all codings are decoded. */
  readonly unpacksGzip: boolean;
  /** Called before the bytes held, compressed and decoded, grow to this number. */
  readonly makeRoom: MakeRoom | undefined;
  /** Bodies for a sink have no cap here; compressed ones are decoded first, within the cap. */
  readonly chooseSink: ChooseSink | undefined;
  /** A decoder takes up to 16 MiB beside its output (RFC 7932 section 9.1). */
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
}

/** Bytes of a body, and whether its end is missing because it exceeds the cap. */
interface Content {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/**
 * Reads a body to its end and decodes it; the cap holds for the bytes on the wire and after each
 * decoding, and nothing beyond it is held. Past the cap, throws UNSUPPORTED_CONTENT or returns the beginning. Throws the
 * stream's or the decoder's error when the body is incomplete or cannot be decompressed.
 */
export async function readBody(
  source: Readable,
  headers: IncomingHttpHeaders,
  limits: BodyLimits,
): Promise<Buffer> {
  const decoders = decodersFor(headers['content-encoding']);
  if (decoders.length > MAX_CODINGS) throw tooManyCodings(decoders.length);
  const { chooseSink } = limits;
  if (chooseSink && decoders.length === 0)
    return await pourOrCollect(source, headers, { ...limits, chooseSink });
  refuseTooLong(headers, limits);
  let content = await collect(source, limits);
  for (const decoder of decoders) {
    if (content.bytes.length > 0) content = await decode(content, decoder, limits);
  }
  if (limits.unpacksGzip && isGzip(content.bytes)) content = await decode(content, decodeGzip, limits);
  const { bytes } = content;
  const sink = await chooseSink?.({ headers, bytes });
  if (!sink) return bytes;
  await sink.write(bytes);
  return bytes.subarray(0, BEGINNING_BYTES);
}

function refuseTooLong(
  headers: IncomingHttpHeaders,
  { maxBytes, longBodies }: Pick<BodyLimits, 'maxBytes' | 'longBodies'>,
): void {
  const isTooLong = Number(headers['content-length'] ?? 0) > maxBytes;
  if (isTooLong && longBodies === 'refuse') throw tooLarge(maxBytes);
}

/** Bytes by which it is decided whether a body goes to a sink. */
export const BEGINNING_BYTES = 65_536;

/** Reads the whole source to a sink as it arrives, and returns its beginning; or returns all of it. */
async function pourOrCollect(
  source: Readable,
  headers: IncomingHttpHeaders,
  limits: BodyLimits & { readonly chooseSink: ChooseSink },
): Promise<Buffer> {
  using held = new BodyChunks();
  let beginning: Buffer | undefined;
  let sink: BodySink | undefined;
  const choose = async (): Promise<void> => {
    beginning = await held.join();
    sink = await limits.chooseSink({ headers, bytes: beginning });
    if (sink) return await sink.write(beginning);
    refuseTooLong(headers, limits);
    held.restart(beginning);
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    if (sink) {
      await sink.write(chunk);
      continue;
    }
    const size = held.size + chunk.length;
    if (size > limits.maxBytes) return (await truncate(held, chunk, limits)).bytes;
    const room = limits.makeRoom?.(size, limits.signal);
    if (room) await room;
    held.add(chunk);
    if (!beginning && held.size >= BEGINNING_BYTES) await choose();
  }
  if (!beginning) await choose();
  return sink && beginning ? beginning : await held.join();
}

/** Reads the whole source; pauses while there is no room. */
async function collect(source: Readable, limits: BodyLimits): Promise<Content> {
  using body = new BodyChunks();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const size = body.size + chunk.length;
    if (size > limits.maxBytes) return await truncate(body, chunk, limits);
    const room = limits.makeRoom?.(size, limits.signal);
    if (room) await room;
    body.add(chunk);
  }
  return { bytes: await body.join(), isCut: false };
}

/** Returns the body up to the cap, of which the chunk exceeds a part. Throws UNSUPPORTED_CONTENT if long bodies are refused. */
async function truncate(
  body: BodyChunks,
  chunk: Buffer,
  { maxBytes, longBodies }: BodyLimits,
): Promise<Content> {
  if (longBodies === 'refuse') throw tooLarge(maxBytes);
  body.add(chunk.subarray(0, maxBytes - body.size));
  return { bytes: await body.join(), isCut: true };
}

/**
 * Decodes one coding and frees the compressed bytes. When there is no room, the decoder and its place are released and
 * decoding starts again later: a body that waits for room must not block one that has it (deadlock).
 */
async function decode(compressed: Content, decoder: Decoder, limits: BodyLimits): Promise<Content> {
  for (;;) {
    const { decoded, room } = await decodeWhileRoom(compressed, decoder, limits);
    if (decoded) {
      free(compressed.bytes);
      return decoded;
    }
    await room;
  }
}

/** Returns the decoded bytes, or a promise of room to wait for. */
async function decodeWhileRoom(
  { bytes, isCut }: Content,
  decoder: Decoder,
  limits: BodyLimits,
): Promise<{ readonly decoded?: Content; readonly room?: Promise<void> }> {
  const { maxBytes, makeRoom, decoding, signal } = limits;
  using _place = await decoding.acquire(signal);
  using body = new BodyChunks();
  try {
    for await (const chunk of decoder(bytes, isCut ? feedBeginning : feedWhole)) {
      const size = body.size + chunk.length;
      if (size > maxBytes) return { decoded: await truncate(body, chunk, limits) };
      const room = makeRoom?.(bytes.length + size, signal);
      if (room) return { room: ignoringRejection(room) };
      body.add(chunk);
    }
  } catch (error) {
    // The decoder misses the end that was cut off; what it decoded before is kept.
    if (!isCut) throw error;
  }
  return { decoded: { bytes: await body.join(), isCut } };
}

/** Returns the promise, which may reject before it is awaited. */
function ignoringRejection(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The page is larger than ${Math.floor(maxBytes / 1_048_576)} MiB, the most that is read.`,
    suggestion: 'Scrape a smaller page of the site: one item, or one page of the list.',
  });
}

function tooManyCodings(count: number): AppError {
  return new AppError('UPSTREAM_ERROR', { message: `The page is compressed ${count} times over.` });
}

/** Bytes that are copied in one turn of the event loop, in about ten milliseconds. */
const BYTES_PER_TURN = 8 * 1024 * 1024;

/**
 * Collects the chunks of a body and frees each as soon as it is used: left to the garbage collector, finished bodies
 * would take several times the memory of those being read.
 */
export class BodyChunks implements Disposable {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Number of bytes collected. */
  get size(): number {
    return this.#size;
  }

  /** Adds a chunk and takes over its memory. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** Begins again with these bytes, which were joined. */
  restart(bytes: Buffer): void {
    this.#chunks = [bytes];
    this.#size = bytes.length;
  }

  /** Returns all bytes in one buffer; each chunk is freed once it is copied, so the body is never held twice. */
  async join(): Promise<Buffer<ArrayBuffer>> {
    const whole = Buffer.allocUnsafeSlow(this.#size);
    let offset = 0;
    let turnEnd = BYTES_PER_TURN;
    for (const chunk of this.#chunks) {
      offset += chunk.copy(whole, offset);
      free(chunk);
      if (offset < turnEnd) continue;
      await nextTurn();
      turnEnd = offset + BYTES_PER_TURN;
    }
    this.#chunks = [];
    return whole;
  }

  /** Frees all chunks that were not joined. */
  [Symbol.dispose](): void {
    for (const chunk of this.#chunks) free(chunk);
    this.#chunks = [];
  }
}

/** Frees the memory of the bytes, unless other buffers share it. */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
