import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { StartupError } from './startup-error.ts';

/**
 * Above the ports of well-known servers, and below the ephemeral ports of systems (from 32768 on Linux, 49152
 * on macOS): such a port is still free when its process starts, or starts again.
 */
const FREE_PORTS = { from: 20_000, to: 32_767 };
const MAX_ATTEMPTS = 100;

/** Returns a free port that no other caller gets while this process lives. Throws a StartupError when none is found. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  let error: NodeJS.ErrnoException | undefined;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to + 1);
    error = await tryPort(host, port);
    if (!error && (await claimPort(port))) return port;
  }
  throw new StartupError(
    `No free port was found on ${host} (${error?.code}): ${MAX_ATTEMPTS} of ${FREE_PORTS.from} to ${FREE_PORTS.to} were tried.`,
    { suggestion: 'Check the address, and which programs listen on this machine.', cause: error },
  );
}

/** Returns why the port cannot be listened on; undefined when it is free. */
export function tryPort(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', done);
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}

/**
 * Holds the UDP port of this number on loopback for the life of this process, so that no other process chooses the
 * same TCP port before its server listens there. Returns false where a process holds it.
 */
function claimPort(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => socket.close(() => done(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => done(true));
  });
}
