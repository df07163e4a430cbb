/** Operation codes of the wire protocol (https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/). */
export const OpCode = { reply: 1, query: 2004, message: 2013 } as const;

/** Bytes of a message header: length, request id, response to, operation code. */
export const HEADER_BYTES = 16;

/** The largest message that `hello` allows, in bytes. */
export const MAX_MESSAGE_BYTES = 48_000_000;

/** Bytes that are not a valid message: their connection is closed, as by mongod. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

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

/** Encodes a reply as OP_MSG, or as OP_REPLY when the request was an OP_QUERY. `body` is one BSON document. */
export function encodeReply(
  body: Buffer,
  request: { requestId: number; opCode: number },
  replyId: number,
): Buffer {
  const isLegacy = request.opCode === OpCode.query;
  const head = Buffer.alloc(HEADER_BYTES + (isLegacy ? 20 : 5));
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(replyId, 4);
  head.writeInt32LE(request.requestId, 8);
  head.writeInt32LE(isLegacy ? OpCode.reply : OpCode.message, 12);
  if (isLegacy) {
    head.writeInt32LE(AWAIT_CAPABLE, HEADER_BYTES);
    head.writeInt32LE(1, HEADER_BYTES + 16);
  }
  return Buffer.concat([head, body], head.length + body.length);
}

const AWAIT_CAPABLE = 8;
