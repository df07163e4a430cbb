import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Decoder, decodersFor, feedBeginning, MAX_CODINGS } from './content-codings.ts';
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
  for (const decoder of decoders) bytes = await decodeBeginning(bytes, decoder, maxBytes);
  return bytes;
}

async function takeBeginning(source: Readable, maxBytes: number, patience: AbortSignal): Promise<Buffer> {
  const enough = new AbortController();
  const beginning = new Beginning(maxBytes);
  source.on('data', (chunk: Buffer) => {
    if (!beginning.take(chunk)) enough.abort();
  });
  const end = { writable: false, signal: AbortSignal.any([enough.signal, patience]) };
  // Whatever ended it, the body has begun like this.
  await finished(source, end).catch(() => {});
  source.pause();
  return beginning.join();
}

async function decodeBeginning(bytes: Buffer, decoder: Decoder, maxBytes: number): Promise<Buffer> {
  const beginning = new Beginning(maxBytes);
  try {
    for await (const chunk of decoder(bytes, feedBeginning)) {
      if (!beginning.take(chunk)) break;
    }
  } catch {
    // It may be cut, or wrong from here on: what came before stands.
  }
  return beginning.join();
}

class Beginning {
  readonly #chunks: Buffer[] = [];
  #missing: number;

  constructor(maxBytes: number) {
    this.#missing = maxBytes;
  }

  /** Takes what of a chunk belongs to it; gives whether it wants more. */
  take(chunk: Buffer): boolean {
    this.#chunks.push(chunk.subarray(0, this.#missing));
    this.#missing = Math.max(0, this.#missing - chunk.length);
    return this.#missing > 0;
  }

  join(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
