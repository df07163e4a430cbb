import type { Readable } from 'node:stream';
import { AppError } from '@gleaner/contracts';
import { BodyChunks, free } from './body-chunks.ts';
import { type Decoder, decodersFor, feedWhole, MAX_CODINGS } from './content-codings.ts';
import type { Semaphore } from './semaphore.ts';

/** Waits until this many bytes may be held, or until the signal aborts; undefined when they may be held now. */
export type MakeRoom = (bytes: number, signal: AbortSignal) => Promise<void> | undefined;

/** Limits on reading a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Called before the bytes held, compressed and decoded, grow to this number. */
  readonly makeRoom: MakeRoom | undefined;
  /** A decoder takes up to 16 MiB beside its output (RFC 7932 section 9.1). */
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
}

/**
 * Reads a body to its end and decodes it; the cap holds for the bytes on the wire and after each
 * decoding, and nothing beyond it is held. Throws UNSUPPORTED_CONTENT past the cap, and the stream's or the decoder's
 * error when the body is truncated or cannot be decompressed.
 */
export async function readBody(
  source: Readable,
  headers: Readonly<Record<string, string>>,
  limits: BodyLimits,
): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  const decoders = decodersFor(headers['content-encoding']);
  if (decoders.length > MAX_CODINGS) throw tooManyCodings(decoders.length);
  let bytes = await collect(source, limits);
  for (const decoder of decoders) {
    if (bytes.length > 0) bytes = await decode(bytes, decoder, limits);
  }
  return bytes;
}

/** Reads the whole source; pauses while there is no room. */
async function collect(source: Readable, { maxBytes, makeRoom, signal }: BodyLimits): Promise<Buffer> {
  using body = new BodyChunks();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const size = body.size + chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    const room = makeRoom?.(size, signal);
    if (room) await room;
    body.add(chunk);
  }
  return body.join();
}

/**
 * Decodes one coding and frees the compressed bytes. When there is no room, the decoder and its place are released and
 * decoding starts again later: a body that waits for room must not block one that has it (deadlock).
 */
async function decode(compressed: Buffer, decoder: Decoder, limits: BodyLimits): Promise<Buffer> {
  for (;;) {
    const { decoded, room } = await decodeWhileRoom(compressed, decoder, limits);
    if (decoded) {
      free(compressed);
      return decoded;
    }
    await room;
  }
}

/** Returns the decoded bytes, or a promise of room to wait for. */
async function decodeWhileRoom(
  compressed: Buffer,
  decoder: Decoder,
  { maxBytes, makeRoom, decoding, signal }: BodyLimits,
): Promise<{ readonly decoded?: Buffer; readonly room?: Promise<void> }> {
  using _place = await decoding.acquire(signal);
  using body = new BodyChunks();
  for await (const chunk of decoder(compressed, feedWhole)) {
    const size = body.size + chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    const room = makeRoom?.(compressed.length + size, signal);
    if (room) return { room: ignoringRejection(room) };
    body.add(chunk);
  }
  return { decoded: body.join() };
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
