import { once } from 'node:events';
import type { Server } from 'node:net';
import { StartupError } from '@gleaner/config';

/** Where to listen, and the names of the settings that say so. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The environment variables that an operator changes when this address can't be had. */
  readonly settings: { readonly host: string; readonly port: string };
}

/** Makes a server listen and returns its port. Throws a StartupError that names the address and its settings. */
export async function listen(server: Server, { host, port, settings }: ListenOptions): Promise<number> {
  try {
    const listening = once(server, 'listening');
    server.listen({ host, port });
    await listening;
  } catch (fault) {
    throw new StartupError(`Can't listen on ${host} port ${port}: ${explain(fault)}.`, {
      suggestion: `Choose another address with ${settings.port} (0 takes any free port) or ${settings.host}, or end what holds it.`,
      cause: fault,
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

function explain(fault: unknown): string {
  const code = typeof fault === 'object' && fault && 'code' in fault ? String(fault.code) : '';
  return REASONS[code] ?? String(fault);
}
