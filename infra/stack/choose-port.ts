import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StartProblem } from './start-problem.ts';

/**
 * Above what well-known servers take, and below what systems give to outgoing connections (from 32768 on Linux, 49152 on
 * macOS): such a port is still free when its process starts, or starts again.
 */
const FREE_PORTS = { from: 20_000, to: 32_767 };
const MAX_TRIES = 100;

/** A port that was asked for by name must be had; a default one may give way to a free one, which 0 always takes. */
export interface PortWish {
  readonly host: string;
  readonly port: number;
  /** The variable by which the operator asked for this very port; undefined for a default. */
  readonly askedBy: string | undefined;
}

/** The wished port, or a free one where the wish was only a default. Throws a StartProblem when an asked one is taken. */
export async function choosePort({ host, port, askedBy }: PortWish): Promise<number> {
  if (port === 0) return await chooseFreePort(host);
  const fault = await tryPort(host, port);
  if (!fault) return port;
  if (!askedBy) return await chooseFreePort(host);
  throw new StartProblem(
    `Port ${port} on ${host} can't be used (${fault.code}).`,
    `Stop what listens there, or set ${askedBy} to another port (0 takes a free one).`,
    { cause: fault },
  );
}

async function chooseFreePort(host: string): Promise<number> {
  let fault: NodeJS.ErrnoException | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to + 1);
    fault = await tryPort(host, port);
    if (!fault) return port;
  }
  throw new StartProblem(
    `No port on ${host} is free (${fault?.code}): ${MAX_TRIES} of ${FREE_PORTS.from} to ${FREE_PORTS.to} were tried.`,
    'Check the address, and what listens on this machine.',
    { cause: fault },
  );
}

/** Why nobody can listen on the port; undefined when it is free. */
function tryPort(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', done);
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}
