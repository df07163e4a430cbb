import { HEADER_BYTES, MAX_MESSAGE_BYTES } from './op-codes.ts';
import { ProtocolError } from './protocol-error.ts';

/** Cuts the bytes of a connection into whole messages. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #buffered = 0;

  /** The messages that a chunk completes. Throws ProtocolError for an impossible length. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    const frames: Buffer[] = [];
    for (let frame = this.#take(); frame !== undefined; frame = this.#take()) frames.push(frame);
    return frames;
  }

  #take(): Buffer | undefined {
    if (this.#buffered < 4) return undefined;
    const length = this.#peekLength();
    if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
      throw new ProtocolError(
        `a message of ${length} bytes; ${HEADER_BYTES} to ${MAX_MESSAGE_BYTES} are allowed`,
      );
    }
    if (this.#buffered < length) return undefined;
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const rest = all.subarray(length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#buffered = rest.length;
    return all.subarray(0, length);
  }

  #peekLength(): number {
    const [first] = this.#chunks;
    if (first !== undefined && first.length < 4) this.#chunks = [Buffer.concat(this.#chunks)];
    return (this.#chunks[0] as Buffer).readInt32LE(0);
  }
}
