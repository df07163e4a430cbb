import { ByteWriter } from './byte-writer.ts';
import { FRAME, FRAME_END, FRAME_OVERHEAD_BYTES } from './frame-parser.ts';
import { encodeMethod } from './method-codec.ts';
import type { MethodArguments, MethodName } from './methods.ts';

/** Content that follows a method: the encoded properties and the body. */
export interface Content {
  readonly propertyBytes: Buffer;
  readonly body: Buffer;
}

const BASIC_CLASS = 60;
/** Size in bytes above which parts of a body are written to the socket without a copy. */
const COPY_LIMIT_BYTES = 8 * 1024;

/** Collects the frames for one peer until they are written to its socket together. */
export class FrameWriter {
  /** The largest frame that the peer accepts, in bytes. */
  maxFrameBytes: number;
  readonly #bytes = new ByteWriter();
  #segments: Buffer[] = [];
  #segmentBytes = 0;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Number of bytes written and not yet taken. */
  get pendingBytes(): number {
    return this.#segmentBytes + this.#bytes.length;
  }

  method<Name extends MethodName>(channel: number, name: Name, args: MethodArguments<Name>): void {
    const start = this.#bytes.length;
    const place = this.#begin(FRAME.method, channel);
    try {
      encodeMethod(this.#bytes, name, args);
    } catch (error) {
      this.#bytes.truncate(start);
      throw error;
    }
    this.#end(place);
  }

  /** Writes the header and body frames that follow a method with content. */
  content(channel: number, content: Content): void {
    const place = this.#begin(FRAME.header, channel);
    this.#bytes.uint16(BASIC_CLASS);
    this.#bytes.uint16(0);
    this.#bytes.uint64(BigInt(content.body.length));
    this.#bytes.bytes(content.propertyBytes);
    this.#end(place);
    const maxPieceBytes = this.maxFrameBytes - FRAME_OVERHEAD_BYTES;
    for (let offset = 0; offset < content.body.length; offset += maxPieceBytes) {
      this.#body(channel, content.body.subarray(offset, offset + maxPieceBytes));
    }
  }

  heartbeat(): void {
    this.#end(this.#begin(FRAME.heartbeat, 0));
  }

  /** Returns everything written so far, for the socket. */
  take(): Buffer[] {
    this.#cut();
    const segments = this.#segments;
    this.#segments = [];
    this.#segmentBytes = 0;
    return segments;
  }

  #body(channel: number, piece: Buffer): void {
    const place = this.#begin(FRAME.body, channel);
    if (piece.length <= COPY_LIMIT_BYTES) {
      this.#bytes.bytes(piece);
      this.#end(place);
      return;
    }
    this.#bytes.truncate(place);
    this.#bytes.uint32(piece.length);
    this.#cut();
    this.#segments.push(piece);
    this.#segmentBytes += piece.length;
    this.#bytes.uint8(FRAME_END);
  }

  #begin(type: number, channel: number): number {
    this.#bytes.uint8(type);
    this.#bytes.uint16(channel);
    return this.#bytes.reserveLength();
  }

  #end(place: number): void {
    this.#bytes.patchLength(place);
    this.#bytes.uint8(FRAME_END);
  }

  #cut(): void {
    if (this.#bytes.length === 0) return;
    const segment = this.#bytes.take();
    this.#segments.push(segment);
    this.#segmentBytes += segment.length;
  }
}
