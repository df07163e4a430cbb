import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Decoder, decodersFor, feedBeginning, MAX_CODINGS } from './content-codings.ts';
import type { Semaphore } from './semaphore.ts';

/** Limits on the beginning of a body. */
export interface BeginningLimits {
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
  for (const decoder of decoders) bytes = await decodeBeginning(bytes, decoder, maxBytes);
  return bytes;
}

async function takeBeginning(source: Readable, maxBytes: number, waiting: AbortSignal): Promise<Buffer> {
  const enough = new AbortController();
  const beginning = new Beginning(maxBytes);
  source.on('data', (chunk: Buffer) => {
    if (!beginning.add(chunk)) enough.abort();
  });
  const end = { writable: false, signal: AbortSignal.any([enough.signal, waiting]) };
  // The bytes read so far are kept, whether the body ended or failed.
  await finished(source, end).catch(() => {});
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
