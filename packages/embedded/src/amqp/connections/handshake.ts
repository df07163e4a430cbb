import type { ServerContext } from '../channels/server-context.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { FrameWriter } from '../wire/frame-writer.ts';
import type { Method, MethodName } from '../wire/methods.ts';
import { type ClientWishes, checkVirtualHost, readStartOk, readTuneOk, START, type Tuning } from './login.ts';

const ANONYMOUS: ClientWishes = { wantsCancelNotify: false, wantsBlockNotice: false };

/** Handshake of a connection: start, tune and open, each answered before the next. */
export class Handshake {
  /** Wishes of the client, known after its start-ok. */
  client: ClientWishes = ANONYMOUS;
  /** Limits of the connection, negotiated with tune-ok. */
  tuning: Tuning;
  readonly #writer: FrameWriter;
  readonly #context: ServerContext;
  #awaited: MethodName = 'connection.start-ok';

  constructor(writer: FrameWriter, context: ServerContext) {
    this.#writer = writer;
    this.#context = context;
    this.tuning = context.limits;
  }

  /** Sends connection.start. */
  begin(): void {
    this.#writer.method(0, 'connection.start', START);
  }

  /** Handles an answer of the client; returns true once the connection is open. */
  onMethod(method: Method): boolean {
    if (method.name !== this.#awaited) throw this.#unexpected(method);
    if (method.name === 'connection.start-ok') {
      this.client = readStartOk(method.args, this.#context.credentials);
      const {
        maxChannels: channelMax,
        maxFrameBytes: frameMax,
        heartbeatSeconds: heartbeat,
      } = this.#context.limits;
      this.#writer.method(0, 'connection.tune', { channelMax, frameMax, heartbeat });
      this.#awaited = 'connection.tune-ok';
    } else if (method.name === 'connection.tune-ok') {
      this.tuning = readTuneOk(method.args, this.#context.limits);
      this.#awaited = 'connection.open';
    } else if (method.name === 'connection.open') {
      checkVirtualHost(method.args);
      this.#writer.method(0, 'connection.open-ok', { reserved1: '' });
      return true;
    }
    return false;
  }

  #unexpected({ name }: Method): AmqpError {
    return new AmqpError('CHANNEL_ERROR', `unexpected method ${name}: ${this.#awaited} is expected`);
  }
}
