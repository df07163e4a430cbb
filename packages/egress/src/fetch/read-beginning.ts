import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Decoder, decodersFor, MAX_CODINGS } from './content-codings.ts';
import type { Semaphore } from './semaphore.ts';

/** How much of a body is its beginning. */
export interface BeginningLimits {
  /** On the wire, and after each decoding. */
  readonly maxBytes: number;
  /** How long it is waited for, all in all. */
  readonly maxWaitMs: number;
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
}

/**
 * How a body begins, its Content-Encoding undone: what follows, breaks it off or is wrong with it does not matter. Throws
 * the signal's reason and nothing else.
 */
export async function readBeginning(
  source: Readable,
  headers: Readonly<Record<string, string>>,
  { maxBytes, maxWaitMs, decoding, signal }: BeginningLimits,
): Promise<Buffer> {
  let bytes = await takeBeginning(source, maxBytes, AbortSignal.timeout(maxWaitMs));
  signal.throwIfAborted();
  const decoders = decodersFor(headers['content-encoding']);
  if (bytes.length === 0 || decoders.length === 0 || decoders.length > MAX_CODINGS) return bytes;
  using _place = await decoding.acquire(signal);
  for (const decoder of decoders) bytes = await decodeBeginning(bytes, decoder, { maxBytes, signal });
  return bytes;
}

async function takeBeginning(source: Readable, maxBytes: number, patience: AbortSignal): Promise<Buffer> {
  const enough = new AbortController();
  const chunks: Buffer[] = [];
  let size = 0;
  source.on('data', (chunk: Buffer) => {
    if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size >= maxBytes) enough.abort();
  });
  const end = { writable: false, signal: AbortSignal.any([enough.signal, patience]) };
  // Whatever ended it, the body has begun like this.
  await finished(source, end).catch(() => {});
  return Buffer.concat(chunks);
}

/** The decoder is never told that its input has ended: it gives what the bytes hold, and misses nothing. */
async function decodeBeginning(
  bytes: Buffer,
  makeDecoder: Decoder,
  { maxBytes, signal }: Pick<BeginningLimits, 'maxBytes' | 'signal'>,
): Promise<Buffer> {
  const decoder = makeDecoder(bytes);
  decoder.write(bytes, () => decoder.destroy());
  const decoded = await takeBeginning(decoder, maxBytes, signal);
  decoder.destroy();
  return decoded;
}
