import { connect, type Socket } from 'node:net';
import { textFor } from '../noise/words.ts';
import { serveOnLoopback } from '../proxy/serve-on-loopback.ts';
import { type Fetch, type Site, startSite } from '../sites/start-site.ts';
import type { Certificate } from '../tls/create-certificate.ts';
import { documentReply, type HostileSite, onlyPages } from './hostile-reply.ts';
import { handlerOf } from './start-hostile-site.ts';

/** Serves the same pages with http and with https on one port; their links lead to the other scheme. */
export async function startSchemeTwins(certificate: Certificate): Promise<Site> {
  const fetches: Fetch[] = [];
  const plain = await startSite(handlerOf(twinSchemes), { fetches });
  const secure = await startSite(handlerOf(twinSchemes), { fetches, certificate });
  const front = await serveOnLoopback(0, (socket) => {
    socket.once('data', (first: Buffer) => {
      const site = first[0] === TLS_HANDSHAKE ? secure : plain;
      forward(socket, first, Number(new URL(site.origin).port));
    });
  });
  async function close(): Promise<void> {
    await Promise.all([front.close(), plain.close(), secure.close()]);
  }
  return { origin: `http://127.0.0.1:${front.port}`, fetches, close, [Symbol.asyncDispose]: close };
}

/** First byte of a connection with TLS. */
const TLS_HANDSHAKE = 0x16;

function forward(socket: Socket, first: Buffer, port: number): void {
  const upstream = connect(port, '127.0.0.1');
  upstream.on('error', () => socket.destroy()).once('close', () => socket.destroy());
  socket.once('close', () => upstream.destroy());
  upstream.write(first);
  socket.pipe(upstream).pipe(socket);
}

const twinSchemes: HostileSite = onlyPages(({ url }) => {
  const origin = `${url.protocol === 'https:' ? 'http' : 'https'}://${url.host}`;
  return documentReply(url.pathname, textFor(url.pathname.length), [`${origin}/`, `${origin}/about`]);
});
