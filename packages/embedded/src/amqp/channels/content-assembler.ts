import { AmqpError } from '../wire/amqp-error.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import type { MethodArguments } from '../wire/methods.ts';

/** A publish with its properties and body. */
export interface Publish {
  readonly args: MethodArguments<'basic.publish'>;
  readonly propertyBytes: Buffer;
  readonly body: Buffer;
}

const BASIC_CLASS = 60;

/** Assembles a publish from its method, header and body frames. */
export class ContentAssembler {
  readonly #maxBodyBytes: number;
  #args: MethodArguments<'basic.publish'> | undefined;
  #propertyBytes: Buffer | undefined;
  #bodyBytes = 0;
  #missingBytes = 0;
  #pieces: Buffer[] = [];

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  get isExpectingContent(): boolean {
    return this.#args !== undefined;
  }

  begin(args: MethodArguments<'basic.publish'>): void {
    this.#args = args;
  }

  /** Returns the whole publish if it has no body. */
  header(payload: Buffer): Publish | undefined {
    if (!this.#args || this.#propertyBytes) throw unexpected('content header');
    const reader = new ByteReader(payload);
    if (reader.uint16() !== BASIC_CLASS) throw unexpected('content header of another class');
    reader.uint16();
    const bodyBytes = Number(reader.uint64());
    this.#bodyBytes = bodyBytes;
    // A copy: the payload is a view into a chunk of the socket that must not be held for a small message.
    this.#propertyBytes = Buffer.from(payload.subarray(reader.offset));
    this.#missingBytes = bodyBytes;
    return bodyBytes === 0 ? this.#finish() : undefined;
  }

  /** Returns the whole publish once its last piece has arrived. */
  body(payload: Buffer): Publish | undefined {
    if (!this.#propertyBytes) throw unexpected('content body');
    if (payload.length > this.#missingBytes) throw unexpected('content body beyond the announced size');
    this.#missingBytes -= payload.length;
    if (this.#bodyBytes <= this.#maxBodyBytes) this.#pieces.push(Buffer.from(payload));
    return this.#missingBytes === 0 ? this.#finish() : undefined;
  }

  #finish(): Publish | undefined {
    const [args, propertyBytes, pieces] = [this.#args, this.#propertyBytes, this.#pieces];
    this.#args = undefined;
    this.#propertyBytes = undefined;
    this.#pieces = [];
    // Not before its end: a client closes a channel between messages, not within one.
    if (this.#bodyBytes > this.#maxBodyBytes) throw tooLarge(this.#bodyBytes, this.#maxBodyBytes);
    if (!args || !propertyBytes) return undefined;
    const [only] = pieces;
    return { args, propertyBytes, body: pieces.length === 1 && only ? only : Buffer.concat(pieces) };
  }
}

function unexpected(what: string): AmqpError {
  return new AmqpError('UNEXPECTED_FRAME', `a ${what} frame is not expected here`);
}

function tooLarge(bytes: number, maxBytes: number): AmqpError {
  return new AmqpError(
    'PRECONDITION_FAILED',
    `message size ${bytes} is larger than configured max size ${maxBytes}`,
  );
}
