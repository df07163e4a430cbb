import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { StartupError } from '@gleaner/config';

/**
 * Above the ports of well-known servers, and below the ephemeral ports of systems (from 32768 on Linux, 49152
 * on macOS): such a port is still free when its process starts, or starts again.
 */
const FREE_PORTS = { from: 20_000, to: 32_767 };
const MAX_ATTEMPTS = 100;

/** A port to listen on. A default one may give way to a free one, and 0 always takes a free one. */
export interface PortChoice {
  readonly host: string;
  readonly port: number;
  /** The variable with which the operator asked for this very port; undefined for a default. */
  readonly askedBy: string | undefined;
}

/** Returns the port, or a free one when a default is taken. Throws a StartupError when a port that was asked for is taken. */
export async function choosePort({ host, port, askedBy }: PortChoice): Promise<number> {
  if (port === 0) return await chooseFreePort(host);
  const error = await tryPort(host, port);
  if (!error) return port;
  if (!askedBy) return await chooseFreePort(host);
  throw new StartupError(`Port ${port} on ${host} can't be used (${error.code}).`, {
    suggestion: `Stop the program that listens there, or set ${askedBy} to another port (0 takes a free one).`,
    cause: error,
  });
}

async function chooseFreePort(host: string): Promise<number> {
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
function tryPort(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
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

/** Wildcard hosts for every address of the machine, each with the loopback address to connect to. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the URL, without a slash at the end, of a service that listens on this host and port. */
export function addressOf(host: string, port: number): string {
  const name = LOOPBACK_OF[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
