import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { ErrorCode, ScrapeRequest } from '@gleaner/contracts';
import { htmlPath } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper } from './start-test-scraper.ts';

/** A synchronous request that is never answered blocks the page's scripts without using any CPU. */
const BLOCK = `const request = new XMLHttpRequest();
  request.open('GET', '/stall/before-headers', false);
  request.send();`;

interface SlowPage {
  readonly name: string;
  readonly request: ScrapeRequest;
  readonly timeoutMs: number;
  readonly outcome: 'success' | ErrorCode;
}

/** A server that accepts connections and never answers, whatever is sent. */
async function startSilentServer() {
  const server = createServer((socket) => void socket.on('error', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() };
}

await describeWithBrowser('a page that keeps a browser command waiting for over 30 s', (settings) => {
  it('succeeds within its deadline, times out beyond it, and is never an internal error', async () => {
    using silent = await startSilentServer();
    await using scraper = await startTestScraper({
      ...settings,
      EGRESS_ALLOW: '127.0.0.1',
      BROWSER_SCRAPE_CONCURRENCY: '20',
    });
    const pages: readonly SlowPage[] = [
      {
        name: 'answers late, within the deadline',
        request: { url: '/slow/33000', render: true },
        timeoutMs: 90_000,
        outcome: 'success',
      },
      {
        name: 'never answers',
        request: { url: '/stall/before-headers', render: true },
        timeoutMs: 34_000,
        outcome: 'TIMEOUT',
      },
      {
        // Chromium itself gives a handshake half a minute.
        name: 'stalls in the TLS handshake',
        request: { url: `https://127.0.0.1:${silent.port}/`, render: true },
        timeoutMs: 120_000,
        outcome: 'UPSTREAM_ERROR',
      },
      {
        name: 'blocks its scripts after it has settled',
        request: {
          url: htmlPath(`<h1>x</h1><script>setTimeout(() => { ${BLOCK} }, 1000)</script>`),
          waitFor: 1500,
        },
        timeoutMs: 36_000,
        outcome: 'TIMEOUT',
      },
      {
        name: 'blocks its scripts while its picture is taken',
        request: {
          url: htmlPath(
            `<h1 style="height:3000px">x</h1><script>addEventListener('resize', () => { ${BLOCK} })</script>`,
          ),
          screenshot: true,
        },
        timeoutMs: 36_000,
        outcome: 'TIMEOUT',
      },
    ];
    const outcomes = await Promise.all(
      pages.map(async ({ name, request, timeoutMs }) => {
        const reply = await scraper.scrape(request, { timeoutMs });
        return [name, reply.ok ? 'success' : reply.failure.code];
      }),
    );
    expect(outcomes).toEqual(pages.map(({ name, outcome }) => [name, outcome]));
  });
});
