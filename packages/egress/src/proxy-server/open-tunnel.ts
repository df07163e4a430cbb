import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';
import { startStageClock } from '../route/stage-clock.ts';
import type { ProxyScope } from './proxy-scope.ts';

/** Answers CONNECT with a tunnel to the host and port when the policy allows them, and with 502 or 400 otherwise. */
export async function openTunnel(
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
  scope: ProxyScope,
): Promise<void> {
  client.on('error', () => client.destroy());
  const text = `https://${request.url}/`;
  if (!URL.canParse(text)) return reject(client, '400 Bad Request');
  const requested = new URL(text);
  try {
    const url = scope.policy.checkUrl(text);
    const { signal } = scope;
    const target = { host: hostOf(url), port: portOf(url) };
    const upstream = await scope.route(target, { signal, clock: startStageClock() });
    join(client, upstream, head, scope);
  } catch (thrown) {
    scope.failures.record(requested, thrown);
    reject(client, '502 Bad Gateway');
  }
}

function join(client: Socket, upstream: Socket, head: Buffer, { count, signal }: ProxyScope): void {
  const cut = () => {
    signal.removeEventListener('abort', cut);
    client.destroy();
    upstream.destroy();
  };
  // A response that ends with its connection is complete only when that was not reset, so the reset is passed on.
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

function reject(client: Socket, status: string): void {
  if (!client.destroyed) client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
