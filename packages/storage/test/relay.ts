import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** TCP relay in front of a server, which can fail as networks do. */
export interface Relay {
  /** Address of the server through the relay. */
  readonly uri: string;
  /** Resets open and new connections. */
  cut(): void;
  /** Keeps connections open and forwards nothing. */
  stall(): void;
  /** Keeps connections open and stops reading, so that the sockets of senders fill up. */
  clog(): void;
  /** Resumes normal operation. */
  mend(): void;
  close(): Promise<void>;
}

/** Starts a relay on a free port of the loopback interface. */
export async function startRelay(targetUri: string): Promise<Relay> {
  const uri = new URL(targetUri);
  const target = { host: uri.hostname, port: Number(uri.port || 27017) };
  const sockets = new Set<Socket>();
  let mode: 'working' | 'cut' | 'stalled' | 'clogged' = 'working';

  const server = createServer((client) => {
    if (mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (mode === 'clogged') from.pause();
      from.on('data', (chunk) => mode !== 'stalled' && to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function cut(): void {
    mode = 'cut';
    for (const socket of sockets) socket.resetAndDestroy();
  }

  uri.hostname = '127.0.0.1';
  uri.port = String((server.address() as AddressInfo).port);
  uri.searchParams.set('directConnection', 'true');
  return {
    uri: uri.href,
    cut,
    stall() {
      mode = 'stalled';
    },
    clog() {
      mode = 'clogged';
      for (const socket of sockets) socket.pause();
    },
    mend() {
      mode = 'working';
      for (const socket of sockets) socket.resume();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
