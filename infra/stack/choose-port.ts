import { createServer } from 'node:net';
import { StartProblem } from './start-problem.ts';

/** A port that was asked for by name must be had; a default one may give way to a free one. */
export interface PortWish {
  readonly host: string;
  readonly port: number;
  /** The variable by which the operator asked for this very port; undefined for a default. */
  readonly askedBy: string | undefined;
}

/** The wished port, or a free one where the wish was only a default. Throws a StartProblem when an asked one is taken. */
export async function choosePort({ host, port, askedBy }: PortWish): Promise<number> {
  const wished = await tryPort(host, port);
  if (typeof wished === 'number') return wished;
  if (askedBy) {
    throw new StartProblem(
      `Port ${port} on ${host} can't be used (${wished.code}).`,
      `Stop what listens there, or set ${askedBy} to another port (0 takes a free one).`,
      { cause: wished },
    );
  }
  const free = await tryPort(host, 0);
  if (typeof free === 'number') return free;
  throw new StartProblem(`No port on ${host} is free (${free.code}).`, 'Check the address and try again.', {
    cause: free,
  });
}

function tryPort(host: string, port: number): Promise<number | NodeJS.ErrnoException> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', done);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : port));
    });
  });
}
