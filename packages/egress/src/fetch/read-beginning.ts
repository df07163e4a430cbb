import type { Readable } from 'node:stream';

/** How long the beginning of a body is waited for: the status has said what matters by then. */
const MAX_WAIT_MS = 500;

/** How a body begins, as it came over the wire: what follows, or breaks it off, does not matter. Never throws. */
export async function readBeginning(source: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const patience = setTimeout(() => source.destroy(), MAX_WAIT_MS);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // Whatever ended it, the body has begun like this.
  } finally {
    clearTimeout(patience);
  }
  return Buffer.concat(chunks);
}
