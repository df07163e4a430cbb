/** Hosts that stand for every address of the machine, and the one of them by which it reaches itself. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL at which a service on this host and port is found, without a slash at the end. */
export function addressOf(host: string, port: number): string {
  const name = LOOPBACK_OF[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
