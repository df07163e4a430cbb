import type { Socket } from 'node:net';
import { Channel, type ChannelHandlers, type ChannelHost } from '../channels/channel.ts';
import { publish } from '../channels/publish.ts';
import type { ServerContext } from '../channels/server-context.ts';
import { handleMethod } from '../methods/method-handlers.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import { FRAME, type Frame, FrameParser } from '../wire/frame-parser.ts';
import type { FrameWriter } from '../wire/frame-writer.ts';
import { decodeMethod, methodIds } from '../wire/method-codec.ts';
import type { MethodArguments, MethodName } from '../wire/methods.ts';
import { Handshake } from './handshake.ts';
import { startHeartbeats } from './heartbeats.ts';
import { HANDSHAKE_FRAME_BYTES, LoginRefused, PROTOCOL_HEADER } from './login.ts';
import { Outlet } from './outlet.ts';
import { ReadGate } from './read-gate.ts';

/** Time for a client to answer connection.close. */
const CLOSE_TIMEOUT_MS = 3_000;

/** The states of a connection. */
type Phase = 'header' | 'handshake' | 'running' | 'closing' | 'closed';

/** The connection of one client: its socket, the handshake, and its channels. */
export class Connection implements ChannelHost {
  readonly #socket: Socket;
  readonly #context: ServerContext;
  readonly #onClosed: (connection: Connection) => void;
  readonly #outlet: Outlet;
  readonly #gate: ReadGate;
  readonly #handshake: Handshake;
  readonly #parser: FrameParser;
  readonly #channels = new Map<number, Channel>();
  readonly #timers: (() => void)[] = [];
  readonly #handlers: ChannelHandlers = {
    onMethod: handleMethod,
    onPublish: (channel, whole) => {
      this.#gate.onPublish();
      publish(channel, whole);
    },
  };
  #phase: Phase = 'header';
  #header: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, context: ServerContext, onClosed: (connection: Connection) => void) {
    this.#socket = socket;
    this.#context = context;
    this.#onClosed = onClosed;
    this.#outlet = new Outlet(socket, HANDSHAKE_FRAME_BYTES);
    this.#gate = new ReadGate(socket, this.#outlet, context, {
      blocked: (reason) => this.#sendBlockNotice('connection.blocked', { reason }),
      unblocked: () => this.#sendBlockNotice('connection.unblocked', {}),
    });
    this.#handshake = new Handshake(this.#outlet.writer, context);
    this.#parser = new FrameParser(HANDSHAKE_FRAME_BYTES, (frame) => this.#onFrame(frame));
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.on('drain', () => this.#onDrain());
    socket.on('error', (error) =>
      context.logger.warn({ err: error }, 'The connection of an AMQP client broke.'),
    );
    socket.on('close', () => this.#onSocketClosed());
    this.#after(context.limits.handshakeTimeoutMs, () => this.#onHandshakeTimeout());
  }

  get wantsCancelNotify(): boolean {
    return this.#handshake.client.wantsCancelNotify;
  }

  /** True while no deliveries are sent; a closing connection takes none either. */
  get isCongested(): boolean {
    return this.#phase !== 'running' || this.#outlet.isCongested;
  }

  get writer(): FrameWriter {
    return this.#outlet.writer;
  }

  flushSoon(summarize?: () => void): void {
    this.#outlet.flushSoon(summarize);
  }

  forget(channelNumber: number): void {
    this.#channels.delete(channelNumber);
  }

  /** Closes the connection for a reason of the server, and the socket once the client has answered. */
  shutDown(reason: string): void {
    if (this.#phase !== 'running') return void this.#socket.destroy();
    this.#fail(
      new AmqpError('CONNECTION_FORCED', `broker forced connection closure with reason '${reason}'`),
    );
  }

  #onData(bytes: Buffer): void {
    try {
      if (this.#phase === 'header') this.#onHeaderBytes(bytes);
      else if (this.#phase !== 'closed') this.#parser.push(bytes);
    } catch (error) {
      this.#fail(error);
      // The frames that follow cannot be parsed, so not even a close-ok would be understood.
      this.#outlet.flush();
      this.#phase = 'closed';
      this.#socket.end();
    }
    this.#gate.check();
  }

  #onDrain(): void {
    this.#gate.reopen();
    for (const channel of this.#channels.values()) channel.dispatch();
  }

  #onHeaderBytes(bytes: Buffer): void {
    this.#header = Buffer.concat([this.#header, bytes]);
    const given = this.#header.subarray(0, PROTOCOL_HEADER.length);
    if (!given.equals(PROTOCOL_HEADER.subarray(0, given.length)))
      return void this.#socket.end(PROTOCOL_HEADER);
    if (given.length < PROTOCOL_HEADER.length) return;
    this.#phase = 'handshake';
    this.#handshake.begin();
    this.flushSoon();
    const rest = this.#header.subarray(PROTOCOL_HEADER.length);
    if (rest.length > 0) this.#parser.push(rest);
  }

  /** Handles one frame. Errors end here, so that the parser keeps its place in the stream. */
  #onFrame(frame: Frame): void {
    try {
      if (frame.type === FRAME.heartbeat) checkHeartbeat(frame);
      else if (frame.channel === 0 || this.#phase !== 'running') this.#onControlFrame(frame);
      else this.#onChannelFrame(frame);
    } catch (error) {
      this.#fail(error, nameOf(frame));
    }
  }

  #onControlFrame(frame: Frame): void {
    if (this.#phase === 'closing' && frame.channel !== 0) return;
    if (frame.type !== FRAME.method || frame.channel !== 0) {
      throw new AmqpError(
        'UNEXPECTED_FRAME',
        `a frame of type ${frame.type} on channel ${frame.channel} is not expected here`,
      );
    }
    const method = decodeMethod(frame.payload);
    if (method.name === 'connection.close') {
      this.#onClose();
      return;
    }
    if (method.name === 'connection.close-ok' && this.#phase === 'closing') return void this.#socket.end();
    if (this.#phase === 'closing') return;
    if (this.#phase === 'running')
      throw new AmqpError('CHANNEL_ERROR', `unexpected method ${method.name} on channel 0`);
    if (this.#handshake.onMethod(method)) this.#onOpen();
    this.flushSoon();
  }

  /** Applies the negotiated limits, before the next frame is read. */
  #onOpen(): void {
    this.#phase = 'running';
    const { maxFrameBytes, heartbeatSeconds } = this.#handshake.tuning;
    this.#parser.maxFrameBytes = maxFrameBytes;
    this.writer.maxFrameBytes = maxFrameBytes;
    const stop = startHeartbeats(heartbeatSeconds, {
      bytesRead: () => this.#socket.bytesRead,
      bytesWritten: () => this.#socket.bytesWritten,
      beat: () => this.#beat(),
      onSilence: () => this.#onSilence(),
    });
    this.#timers.push(stop);
  }

  #onChannelFrame(frame: Frame): void {
    const known = this.#channels.get(frame.channel);
    if (known) {
      known.onFrame(frame);
      return;
    }
    if (frame.channel > this.#handshake.tuning.maxChannels) {
      throw new AmqpError(
        'NOT_ALLOWED',
        `channel ${frame.channel} is over the negotiated channel_max (${this.#handshake.tuning.maxChannels})`,
      );
    }
    if (frame.type !== FRAME.method || decodeMethod(frame.payload).name !== 'channel.open') {
      throw new AmqpError('CHANNEL_ERROR', "expected 'channel.open'");
    }
    const channel = new Channel(frame.channel, {
      host: this,
      context: this.#context,
      handlers: this.#handlers,
    });
    this.#channels.set(frame.channel, channel);
    channel.send('channel.open-ok', { reserved1: Buffer.alloc(0) });
  }

  /** Answers a client's connection.close. */
  #onClose(): void {
    this.#release();
    this.writer.method(0, 'connection.close-ok', {});
    this.#outlet.flush();
    this.#phase = 'closed';
    this.#socket.end();
  }

  /** Closes the connection with an error, and waits for the client's close-ok for a while. */
  #fail(thrown: unknown, culprit?: MethodName): void {
    if (this.#phase === 'closing' || this.#phase === 'closed') return;
    const error = thrown instanceof AmqpError ? thrown : new AmqpError('INTERNAL_ERROR', 'the broker failed');
    this.#context.logger.warn({ err: thrown, method: culprit }, error.replyText);
    this.#release();
    if (error instanceof LoginRefused && !error.wantsNotice) return void this.#socket.destroy();
    const { replyCode, replyText } = error;
    const ids = culprit ? methodIds(culprit) : { classId: 0, methodId: 0 };
    this.writer.method(0, 'connection.close', { replyCode, replyText, ...ids });
    this.flushSoon();
    this.#phase = 'closing';
    this.#after(CLOSE_TIMEOUT_MS, () => this.#socket.destroy());
  }

  /** Releases the deliveries, consumers and exclusive queues of the connection. */
  #release(): void {
    if (this.#phase === 'running') this.#phase = 'closing';
    for (const channel of this.#channels.values()) channel.release();
    this.#channels.clear();
    this.#context.broker.deleteQueuesOf(this);
  }

  #onSocketClosed(): void {
    this.#release();
    this.#phase = 'closed';
    for (const stop of this.#timers) stop();
    this.#onClosed(this);
  }

  #onHandshakeTimeout(): void {
    if (this.#phase === 'running' || this.#phase === 'closing') return;
    this.#context.logger.warn(
      { phase: this.#phase },
      'An AMQP client did not finish its handshake in time; its connection was closed.',
    );
    this.#socket.destroy();
  }

  #sendBlockNotice<Name extends 'connection.blocked' | 'connection.unblocked'>(
    name: Name,
    args: MethodArguments<Name>,
  ): void {
    if (this.#phase !== 'running' || !this.#handshake.client.wantsBlockNotice) return;
    this.writer.method(0, name, args);
    this.flushSoon();
  }

  #beat(): void {
    this.writer.heartbeat();
    this.flushSoon();
  }

  /** Closes the connection of a silent client. A paused socket is not read, so its silence proves nothing. */
  #onSilence(): void {
    if (this.#socket.isPaused()) return;
    const { heartbeatSeconds } = this.#handshake.tuning;
    this.#context.logger.warn(
      { heartbeatSeconds },
      'An AMQP client sent nothing for two heartbeat intervals; its connection was closed.',
    );
    this.#socket.destroy();
  }

  #after(delayMs: number, act: () => void): void {
    const timer = setTimeout(act, delayMs);
    timer.unref();
    this.#timers.push(() => clearTimeout(timer));
  }
}

function checkHeartbeat(frame: Frame): void {
  if (frame.channel !== 0) throw new AmqpError('UNEXPECTED_FRAME', `a heartbeat on channel ${frame.channel}`);
}

/** Returns the name of a frame's method, if it can be read. */
function nameOf(frame: Frame): MethodName | undefined {
  if (frame.type !== FRAME.method) return undefined;
  try {
    return decodeMethod(frame.payload).name;
  } catch {
    return undefined;
  }
}
