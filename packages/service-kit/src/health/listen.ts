import { once } from 'node:events';
import type { Server } from 'node:net';
import { StartupError } from '@gleaner/config';

/** Address to listen on, and the names of its settings. */
export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Environment variables that an operator changes when this address is not available. */
  readonly settings: { readonly host: string; readonly port: string };
}

/** Starts listening and returns the port. Throws a StartupError that names the address and its settings. */
export async function listen(server: Server, { host, port, settings }: ListenOptions): Promise<number> {
  try {
    const listening = once(server, 'listening');
    server.listen({ host, port });
    await listening;
  } catch (error) {
    throw new StartupError(`Can't listen on ${host} port ${port}: ${explain(error)}.`, {
      suggestion: `Choose another address with ${settings.port} (0 picks a free port) or ${settings.host}, or stop the process that uses it.`,
      cause: error,
    });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there already',
  EACCES: 'this user may not listen there (ports below 1024 need a privilege)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name does not resolve',
};

function explain(error: unknown): string {
  const code = typeof error === 'object' && error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? String(error);
}
