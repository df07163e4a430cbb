import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { escapePages } from './escape-page.ts';
import { startTestScraper } from './start-test-scraper.ts';

/** Ways that are always closed, or end before a request is sent. */
const CLOSED_WAYS = ['popup', 'webtransport', 'webrtc', 'speculation', 'preconnect'];

/** Site on loopback that counts connections, and datagrams to the same port. */
interface Fortress extends AsyncDisposable {
  readonly origin: Origin;
  datagramCount(): number;
}

async function startFortress(): Promise<Fortress> {
  const origin = await startOrigin();
  let datagrams = 0;
  const socket = createSocket('udp4', () => {
    datagrams += 1;
  });
  socket.bind(origin.port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    origin,
    datagramCount: () => datagrams,
    async [Symbol.asyncDispose]() {
      socket.close();
      await origin.close();
    },
  };
}

await describeWithBrowser('a rendered page', (settings) => {
  let fortress: Fortress;

  beforeAll(async () => {
    fortress = await startFortress();
  });
  afterAll(async () => {
    await fortress[Symbol.asyncDispose]();
  });

  /** Renders a page for each way, spread over the origins, a few at a time. */
  async function tryAll(towards: readonly string[], extra: Readonly<Record<string, string>>): Promise<void> {
    await using scraper = await startTestScraper({ ...settings, ...extra });
    const { host, port } = scraper.origin;
    const waiting = escapePages(towards);
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await scraper.scrape({ url: `http://${host}:${port}${next.page}`, screenshot: true, waitFor: 200 });
      }
    };
    await Promise.all([work(), work(), work()]);
  }

  it.each([[['127.0.0.1']], [['localhost', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]', '[::1]']]])(
    'cannot reach %j in any way',
    async (hosts) => {
      await tryAll(
        hosts.map((host) => `http://${host}:${fortress.origin.port}`),
        {},
      );
      expect(fortress.origin.connectionCount).toBe(0);
      expect(fortress.datagramCount()).toBe(0);
    },
  );

  it('reaches what the operator allows, in every way that goes through the proxy', async () => {
    await using open = await startFortress();
    await tryAll([`http://127.0.0.1:${open.origin.port}`], { EGRESS_ALLOW: '127.0.0.1' });
    const ways = new Set(
      open.origin.requests.map(({ url }) => new URL(url, 'http://x').searchParams.get('via')),
    );
    const all = escapePages(['']).map(({ way }) => way);
    const missing = all.filter((way) => !ways.has(way) && !CLOSED_WAYS.includes(way));
    expect(missing).toEqual([]);
    expect(open.datagramCount()).toBe(0);
  });
});
