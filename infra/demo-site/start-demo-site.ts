import { createServer, type Server } from 'node:http';
import { bookPage, catalogPage, missingPage } from './pages.ts';

/** A running demo site. */
export interface DemoSite {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a small bookshop to try scrapes on, without internet access. */
export async function startDemoSite({ host, port }: { host: string; port: number }): Promise<DemoSite> {
  const server = createServer((request, response) => {
    const html = pageAt(new URL(request.url ?? '/', 'http://demo').pathname);
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html ?? missingPage());
  });
  const boundPort = await listen(server, host, port);
  return {
    url: `http://${host}:${boundPort}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function pageAt(path: string): string | undefined {
  if (path === '/') return catalogPage(1);
  const [, kind, name = ''] = path.split('/');
  if (kind === 'pages') return catalogPage(Number(name));
  return kind === 'books' ? bookPage(name) : undefined;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      const address = server.address();
      done(typeof address === 'object' && address ? address.port : port);
    });
  });
}
