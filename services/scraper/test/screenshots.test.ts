import type { ScreenshotOptions } from '@gleaner/contracts';
import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const MAX_HEIGHT = 16_384;

/** A page that writes down how its window looks to it. */
const WINDOW =
  htmlPath(`<meta name=viewport content="width=device-width"><body style="margin:0"><p id=window></p>
  <div id=box style="position:absolute;left:200px;top:2000px;width:120px;height:60px;background:#08f"></div>
  <script>document.querySelector('#window').textContent =
    [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints].join()</script>`);

await describeWithBrowser('a screenshot', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  async function take(screenshot: ScreenshotOptions, url = WINDOW) {
    const selectors = { window: '#window' };
    const reply = await scraper.scrape({ url, screenshot, selectors }, { timeoutMs: 240_000 });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    const { result } = reply;
    const image = Buffer.from(result.screenshot ?? '', 'base64');
    return { ...result, image, window: JSON.parse(result.dataJson ?? '{}').window };
  }

  function sizeOf(png: Buffer) {
    return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
  }

  it('shows what the window shows first, in a window of the size and scale that was asked for', async () => {
    const { image, window } = await take({
      viewport: { width: 800, height: 600, scale: 2 },
      fullPage: false,
    });
    expect(window).toBe('800,600,2,0');
    expect(sizeOf(image)).toEqual({ width: 1600, height: 1200 });
  });

  it('is taken as on a phone', async () => {
    const { image, window, finalUrl } = await take({ mobile: true, fullPage: false });
    expect(window).toBe('390,844,2,5');
    expect(sizeOf(image)).toEqual({ width: 780, height: 1688 });
    const headers = scraper.origin.requests.findLast(({ url }) => finalUrl.endsWith(url))?.headers;
    expect(headers?.['user-agent']).toMatch(/Android 10; K.* Mobile Safari/);
    expect(headers).toMatchObject({ 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' });
  });

  it('has the next page in the usual window again', async () => {
    await take({ mobile: true });
    expect(await take({ fullPage: false })).toMatchObject({ window: '1280,800,1,0' });
  });

  it('shows one element, wherever on the page it is', async () => {
    const { image, price } = await take({ selector: '#box' });
    expect(sizeOf(image)).toEqual({ width: 120, height: 60 });
    expect(price).toEqual({ base: 1, render: 4, screenshot: 1 });
  });

  it.each(['.nowhere', 'script'])(
    'of %s, which nothing is shown of, is missing and not charged',
    async (selector) => {
      const { screenshot, warnings, price } = await take({ selector });
      expect(screenshot).toBeUndefined();
      expect(warnings).toEqual([
        { code: 'SCREENSHOT_NOT_TAKEN', message: expect.stringContaining(`"${selector}" matched nothing`) },
      ]);
      expect(price).toEqual({ base: 1, render: 4 });
    },
  );

  it.each([
    ['jpeg', 'ffd8ff'],
    ['webp', '52494646'],
    ['png', '89504e47'],
  ] as const)('comes as %s', async (format, start) => {
    const { image } = await take({ format, fullPage: false });
    expect(image.toString('hex', 0, start.length / 2)).toBe(start);
  });

  it('has the quality that was asked for', async () => {
    const [low, high] = [
      await take({ format: 'jpeg', quality: 1 }),
      await take({ format: 'jpeg', quality: 100 }),
    ];
    expect(low.image.length).toBeLessThan(high.image.length);
  });

  it('of an endless page is cut, at every scale', async () => {
    const url = htmlPath('<body style="margin:0"><p id=window></p><div style="height:60000px">tall</div>');
    expect(sizeOf((await take({}, url)).image)).toEqual({ width: 1280, height: MAX_HEIGHT });
    const { image } = await take({ viewport: { width: 1280, height: 800, scale: 3 } }, url);
    expect(sizeOf(image).width).toBe(3840);
    expect(sizeOf(image).height).toBeLessThanOrEqual(MAX_HEIGHT);
  });
});
