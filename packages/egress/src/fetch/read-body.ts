import type { Readable } from 'node:stream';
import { AppError } from '@gleaner/contracts';
import { BodyChunks, free } from './body-chunks.ts';
import { type Decoder, decodersFor, feedWhole, MAX_CODINGS } from './content-codings.ts';
import type { MakeRoom } from './http-client.ts';
import type { Semaphore } from './semaphore.ts';

/** What a body may take. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Asked before the bytes held, compressed and not, come to so many. */
  readonly makeRoom: MakeRoom | undefined;
  /** A decoder takes up to 16 MiB beside what it gives (RFC 7932 section 9.1). */
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
}

/**
 * Reads a body to its end and undoes its Content-Encoding; the cap holds for the bytes on the wire and after each
 * decoding, and nothing beyond it is held. Throws UNSUPPORTED_CONTENT past the cap, and the stream's or the decoder's
 * error when the body is cut short or does not decompress.
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

/** All that the source gives; it is not read on while there is no room. */
async function collect(source: Readable, { maxBytes, makeRoom, signal }: BodyLimits): Promise<Buffer> {
  using body = new BodyChunks();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const size = body.size + chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    const room = makeRoom?.(size, signal);
    if (room) await room;
    body.take(chunk);
  }
  return body.join();
}

/**
 * Undoes one coding; the compressed bytes are used up. Where room has to be waited for, the decoder and its place are
 * given up meanwhile and the work begins anew: nobody waits for room in a place that somebody with room waits for.
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

/** The decoded bytes, or the room to be waited for. */
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
    if (room) return { room: heard(room) };
    body.take(chunk);
  }
  return { decoded: body.join() };
}

/** The promise, which may reject before anybody waits for it. */
function heard(promise: Promise<void>): Promise<void> {
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
