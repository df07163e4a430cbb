import { freePort, StartupError, tryPort } from '@gleaner/config';

/** A port to listen on. A default one may give way to a free one, and 0 always takes a free one. */
export interface PortChoice {
  readonly host: string;
  readonly port: number;
  /** The variable with which the operator asked for this very port; undefined for a default. */
  readonly askedBy: string | undefined;
}

/** Returns the port, or a free one when a default is taken. Throws a StartupError when a port that was asked for is taken. */
export async function choosePort({ host, port, askedBy }: PortChoice): Promise<number> {
  if (port === 0) return await freePort(host);
  const error = await tryPort(host, port);
  if (!error) return port;
  if (!askedBy) return await freePort(host);
  throw new StartupError(`Port ${port} on ${host} can't be used (${error.code}).`, {
    suggestion: `Stop the program that listens there, or set ${askedBy} to another port (0 takes a free one).`,
    cause: error,
  });
}

/** Wildcard hosts for every address of the machine, each with the loopback address to connect to. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the URL, without a slash at the end, of a service that listens on this host and port. */
export function addressOf(host: string, port: number): string {
  const name = LOOPBACK_OF[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
