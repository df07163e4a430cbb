import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A message on the wire: an AMQP method with its routing key, or a MongoDB command with its collection. */
export interface WireEvent {
  readonly from: 'client' | 'server';
  /** `publish`, `confirm`, `deliver`, `ack`, or a MongoDB command; for the reply of a server, the command that it answers. */
  readonly name: string;
  readonly subject: string;
}

/** Decodes the frames of one connection, in their order. */
export interface WireReader {
  /** Returns the length of the frame that begins here, in bytes; undefined while too few bytes have arrived. */
  frameLength(bytes: Buffer): number | undefined;
  /** Decodes a whole frame; undefined when it is not of interest. */
  describe(from: WireEvent['from'], frame: Buffer): WireEvent | undefined;
}

/** A trap that waits for one frame. */
export interface Trap {
  readonly matches: (event: WireEvent) => boolean;
  /** `instead` drops the frame and everything after it; `after` lets it pass. */
  readonly timing: 'instead' | 'after';
  /** Called at once, before anything else can pass. */
  readonly spring: () => void;
}

/** A proxy between one process and the broker or the database: it fails as networks do and decodes the frames. */
export interface WireProxy {
  readonly port: number;
  /** Resets every connection; new ones are accepted. */
  cut(): void;
  /** Stops forwarding on every connection until it is resumed. */
  stall(): void;
  /** Resumes forwarding. */
  mend(): void;
  /** Drops all bytes of the chosen connections without closing them: they stay half-open. */
  deafen(isChosen: () => boolean): void;
  /** Drops all further bytes of every connection, because its client is dead. */
  bury(): void;
  setTrap(trap: Trap | undefined): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly target: Socket;
  state: 'open' | 'stalled' | 'deaf' | 'dead';
}

/** Starts a proxy in front of the server at this address; `rewrite` may alter the server's frames in place. */
export async function startWireProxy(
  address: Address,
  createReader: () => WireReader,
  rewrite: (frame: Buffer) => void = () => {},
): Promise<WireProxy> {
  const proxy = new FailingProxy(address, createReader, rewrite);
  await proxy.listen();
  return proxy;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

class FailingProxy implements WireProxy {
  readonly #address: Address;
  readonly #createReader: () => WireReader;
  readonly #rewrite: (frame: Buffer) => void;
  readonly #pairs = new Set<Pair>();
  readonly #server = createServer((client) => this.#accept(client));
  #trap: Trap | undefined;

  constructor(address: Address, createReader: () => WireReader, rewrite: (frame: Buffer) => void) {
    this.#address = address;
    this.#createReader = createReader;
    this.#rewrite = rewrite;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  cut(): void {
    for (const { client, target } of this.#pairs) {
      client.resetAndDestroy();
      target.resetAndDestroy();
    }
  }

  stall(): void {
    for (const pair of this.#pairs) {
      if (pair.state !== 'open') continue;
      pair.state = 'stalled';
      pair.client.pause();
      pair.target.pause();
    }
  }

  mend(): void {
    for (const pair of this.#pairs) {
      if (pair.state !== 'stalled') continue;
      pair.state = 'open';
      pair.client.resume();
      pair.target.resume();
    }
  }

  deafen(isChosen: () => boolean): void {
    for (const pair of this.#pairs) if (pair.state === 'open' && isChosen()) pair.state = 'deaf';
  }

  bury(): void {
    for (const pair of this.#pairs) pair.state = 'dead';
  }

  setTrap(trap: Trap | undefined): void {
    this.#trap = trap;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const { client, target } of this.#pairs) {
      client.destroy();
      target.destroy();
    }
    await closed;
  }

  #accept(client: Socket): void {
    const pair: Pair = { client, target: connect(this.#address), state: 'open' };
    pair.client.setNoDelay();
    pair.target.setNoDelay();
    this.#pairs.add(pair);
    const reader = this.#createReader();
    this.#forward(pair, 'client', reader);
    this.#forward(pair, 'server', reader);
  }

  /** Forwards what one side of a pair sends, frame by frame. */
  #forward(pair: Pair, from: WireEvent['from'], reader: WireReader): void {
    const [source, sink] = from === 'client' ? [pair.client, pair.target] : [pair.target, pair.client];
    const split = createFrameSplitter(reader);
    source.on('data', (chunk: Buffer) => {
      for (const frame of split(chunk)) {
        if (pair.state === 'deaf' || pair.state === 'dead') return;
        if (from === 'server') this.#rewrite(frame);
        if (this.#mayPass(reader.describe(from, frame)) && !sink.write(frame)) source.pause();
      }
    });
    sink.on('drain', () => pair.state !== 'stalled' && source.resume());
    source.on('error', () => {});
    source.once('close', () => {
      if (pair.state !== 'deaf') sink.destroy();
      if (pair.client.destroyed && pair.target.destroyed) this.#pairs.delete(pair);
    });
  }

  #mayPass(event: WireEvent | undefined): boolean {
    if (!event || !this.#trap?.matches(event)) return true;
    const { timing, spring } = this.#trap;
    this.#trap = undefined;
    if (timing === 'instead') spring();
    else queueMicrotask(spring);
    return timing === 'after';
  }
}

/** Cuts a stream of bytes into whole frames; an incomplete frame waits for the rest. */
export function createFrameSplitter(reader: Pick<WireReader, 'frameLength'>): (chunk: Buffer) => Buffer[] {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let wantedBytes = 0;

  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < wantedBytes) return [];
    let bytes = Buffer.concat(waiting);
    const frames: Buffer[] = [];
    for (;;) {
      wantedBytes = (bytes.length > 0 && reader.frameLength(bytes)) || 0;
      if (wantedBytes === 0 || bytes.length < wantedBytes) break;
      frames.push(bytes.subarray(0, wantedBytes));
      bytes = bytes.subarray(wantedBytes);
    }
    waiting = [bytes];
    waitingBytes = bytes.length;
    return frames;
  };
}
