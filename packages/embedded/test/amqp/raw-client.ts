import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '@gleaner/test-kit';
import { expect } from '@jest/globals';
import { EMPTY_TABLE, type FieldTable } from '../../src/amqp/wire/field-table.ts';
import { FrameParser } from '../../src/amqp/wire/frame-parser.ts';
import { FrameWriter } from '../../src/amqp/wire/frame-writer.ts';
import { decodeMethod } from '../../src/amqp/wire/method-codec.ts';
import type { Method, MethodArguments, MethodName } from '../../src/amqp/wire/methods.ts';

const MAX_FRAME_BYTES = 131_072;

/** Arguments with which the client logs in. */
export interface RawClientOptions {
  readonly heartbeatSeconds?: number;
  readonly frameMax?: number;
  readonly password?: string;
  readonly virtualHost?: string;
  readonly clientProperties?: FieldTable;
}

/** A client without a library's checks: a socket with frames in and out, and no frame of its own accord. */
export class RawClient {
  readonly socket: Socket;
  readonly writer = new FrameWriter(MAX_FRAME_BYTES);
  readonly methods: Method[] = [];
  heartbeats = 0;
  received: Buffer = Buffer.alloc(0);
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    const parser = new FrameParser(MAX_FRAME_BYTES, (frame) => {
      if (frame.type === 1) this.methods.push(decodeMethod(frame.payload));
      if (frame.type === 8) this.heartbeats += 1;
    });
    socket.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]).subarray(0, 1024);
      if (this.received.subarray(0, 4).toString() !== 'AMQP') parser.push(bytes);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** A connected socket on which nothing has been said. */
  static async connect(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port || 5672), noDelay: true });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** A client that has come through the handshake. */
  static async open(url: string, options: RawClientOptions = {}): Promise<RawClient> {
    const client = await RawClient.connect(url);
    await client.tune(options);
    client.send(0, 'connection.open', {
      virtualHost: options.virtualHost ?? '/',
      reserved1: '',
      reserved2: false,
    });
    await client.expect('connection.open-ok');
    return client;
  }

  /** The handshake up to and with tune-ok. */
  async tune({
    heartbeatSeconds = 0,
    frameMax = MAX_FRAME_BYTES,
    ...login
  }: RawClientOptions = {}): Promise<void> {
    this.bytes(Buffer.from('AMQP\0\0\x09\x01', 'latin1'));
    await this.expect('connection.start');
    this.logIn(login);
    await this.expect('connection.tune');
    this.send(0, 'connection.tune-ok', { channelMax: 100, frameMax, heartbeat: heartbeatSeconds });
  }

  logIn({ password = 'guest', clientProperties = EMPTY_TABLE }: RawClientOptions = {}): void {
    const response = Buffer.from(`\0guest\0${password}`);
    this.send(0, 'connection.start-ok', { clientProperties, mechanism: 'PLAIN', response, locale: 'en_US' });
  }

  send<Name extends MethodName>(channel: number, name: Name, args: MethodArguments<Name>): void {
    this.writer.method(channel, name, args);
    this.flush();
  }

  flush(): void {
    for (const segment of this.writer.take()) this.socket.write(segment);
  }

  bytes(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** Waits for a method with that name and discards earlier ones. */
  expect<Name extends MethodName>(name: Name): Promise<MethodArguments<Name>> {
    return eventually(() => {
      const index = this.methods.findIndex((method) => method.name === name);
      const [found] = index === -1 ? [] : this.methods.splice(0, index + 1).slice(-1);
      if (!found) throw new Error(`The method ${name} has not arrived.`);
      return found.args as MethodArguments<Name>;
    });
  }

  async untilClosed(): Promise<void> {
    await eventually(() => expect(this.isClosed).toBe(true));
  }

  destroy(): void {
    this.socket.destroy();
  }
}
