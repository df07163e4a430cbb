import { AmqpError } from './amqp-error.ts';

/** The frame types of AMQP 0-9-1 (section 2.3.5). */
export const FRAME = { method: 1, header: 2, body: 3, heartbeat: 8 } as const;

/** The bytes of a frame around its payload: type, channel, length before, and the end mark after. */
export const FRAME_OVERHEAD_BYTES = 8;
/** The byte that ends every frame. */
export const FRAME_END = 0xce;

const PREFIX_BYTES = 7;

/** One frame; the payload is a view into the received bytes and must be copied to be kept. */
export interface Frame {
  readonly type: number;
  readonly channel: number;
  readonly payload: Buffer;
}

/** Splits a byte stream into frames, whatever the sizes of its chunks. */
export class FrameParser {
  /** The largest whole frame that is accepted, in bytes. */
  maxFrameBytes: number;
  readonly #onFrame: (frame: Frame) => void;
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  #neededBytes = PREFIX_BYTES;

  constructor(maxFrameBytes: number, onFrame: (frame: Frame) => void) {
    this.maxFrameBytes = maxFrameBytes;
    this.#onFrame = onFrame;
  }

  /** Parses the next chunk; throws FRAME_ERROR at the first byte that cannot be part of a frame. */
  push(piece: Buffer): void {
    if (this.#heldBytes === 0) {
      this.#parse(piece);
      return;
    }
    this.#pieces.push(piece);
    this.#heldBytes += piece.length;
    if (this.#heldBytes < this.#neededBytes) return;
    const whole = Buffer.concat(this.#pieces, this.#heldBytes);
    this.#pieces = [];
    this.#heldBytes = 0;
    this.#parse(whole);
  }

  #parse(bytes: Buffer): void {
    let offset = 0;
    for (;;) {
      const available = bytes.length - offset;
      const frameBytes = available < PREFIX_BYTES ? PREFIX_BYTES : this.#frameBytesAt(bytes, offset);
      if (available < frameBytes) {
        this.#hold(bytes.subarray(offset), frameBytes);
        return;
      }
      const end = offset + frameBytes;
      if (bytes[end - 1] !== FRAME_END) {
        throw new AmqpError('FRAME_ERROR', `the frame ends with ${bytes[end - 1]} instead of ${FRAME_END}`);
      }
      this.#onFrame({
        type: bytes.readUInt8(offset),
        channel: bytes.readUInt16BE(offset + 1),
        payload: bytes.subarray(offset + PREFIX_BYTES, end - 1),
      });
      offset = end;
    }
  }

  #frameBytesAt(bytes: Buffer, offset: number): number {
    const type = bytes.readUInt8(offset);
    if (type !== FRAME.method && type !== FRAME.header && type !== FRAME.body && type !== FRAME.heartbeat) {
      throw new AmqpError('FRAME_ERROR', `unknown frame type ${type}`);
    }
    const frameBytes = bytes.readUInt32BE(offset + 3) + FRAME_OVERHEAD_BYTES;
    if (frameBytes > this.maxFrameBytes) {
      throw new AmqpError(
        'FRAME_ERROR',
        `a frame of ${frameBytes} bytes is over the limit of ${this.maxFrameBytes}`,
      );
    }
    return frameBytes;
  }

  #hold(rest: Buffer, neededBytes: number): void {
    this.#neededBytes = neededBytes;
    if (rest.length === 0) return;
    this.#pieces = [rest];
    this.#heldBytes = rest.length;
  }
}
