import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { startStageClock } from '../fetch/stage-clock.ts';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';
import type { ProxyScope } from './proxy-scope.ts';

/** Answers CONNECT: a tunnel to the host and port when the policy allows them, else 403, 502 or 400. */
export async function openTunnel(
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
  scope: ProxyScope,
): Promise<void> {
  client.on('error', () => client.destroy());
  const text = `https://${request.url}/`;
  if (!URL.canParse(text)) return refuse(client, '400 Bad Request');
  const named = new URL(text);
  try {
    const url = scope.policy.checkUrl(text);
    const { signal } = scope;
    const target = { host: hostOf(url), port: portOf(url) };
    const upstream = await scope.route(target, { signal, clock: startStageClock() });
    join(client, upstream, head, scope);
  } catch (thrown) {
    scope.failures.note(named, thrown);
    refuse(client, '502 Bad Gateway');
  }
}

function join(client: Socket, upstream: Socket, head: Buffer, { count, signal }: ProxyScope): void {
  const cut = () => {
    signal.removeEventListener('abort', cut);
    client.destroy();
    upstream.destroy();
  };
  // Whoever reads an answer that ends with its connection has to know how that ended.
  upstream.on('error', () => client.resetAndDestroy());
  for (const end of [client, upstream]) end.on('error', cut).on('close', cut);
  if (signal.aborted || client.destroyed) {
    cut();
    return;
  }
  signal.addEventListener('abort', cut);
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  upstream.write(head);
  upstream.on('data', (chunk: Buffer) => count(chunk.length));
  upstream.pipe(client);
  client.pipe(upstream);
}

function refuse(client: Socket, status: string): void {
  if (!client.destroyed) client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
