import type { Capture } from '@gleaner/contracts';
import { type Action, engineFor, purposeOf, type ScrapeReply, type SealedSecret } from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { logging as page } from './acting.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const SECRETS_KEY = 'k'.repeat(40);
const VALUE = 'correct & "horse" 9';

await describeWithBrowser('the secrets of actions', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper({ ...settings, SECRETS_KEY });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  function sealed(
    value: string,
    { key = SECRETS_KEY, origins }: { key?: string; origins?: string[] } = {},
  ): SealedSecret {
    const named = { name: 'shop', ...(origins && { origins }) };
    return { ...named, sealed: createSecretBox(key)?.seal(purposeOf('acc_test', named), value) ?? '' };
  }

  const FORM = page(
    '<form action="/type"><input type=hidden name=as value=text/html><input type=hidden name=hex value=2e><input id=p name=p type=password></form>',
    "$('#p').oninput = () => { log($('#p').value.length); document.title = $('#p').value; $('form').setAttribute('data-value', $('#p').value); };",
  );
  const FILL: Action = { fill: '#p', value: { secret: 'shop' } };

  async function scrape(
    actions: readonly Action[],
    secrets: readonly SealedSecret[],
    { path = FORM, ...options }: { path?: string; capture?: Capture; stepScreenshots?: boolean } = {},
  ): Promise<ScrapeReply> {
    const request = {
      ...{ url: scraper.origin.url + path, ...options },
      ...{ actions, snapshot: true, formats: ['html' as const, 'metadata' as const] },
      selectors: { log: '#log', title: 'title', value: 'form::attr(data-value)' },
    };
    const broker = await scraper.connect();
    try {
      const deadlineMs = Date.now() + 8000;
      const command = { requestId: 'req_1', accountId: 'acc_test', deadlineMs, timeoutMs: 8000, request };
      const options = { deadlineMs, graceMs: 30_000 };
      return await broker.request(
        `scrape.${engineFor(request)}`,
        { ...command, secrets: [...secrets] },
        options,
      );
    } finally {
      await broker.close();
    }
  }

  it('are written into fields, and hidden in everything that is read', async () => {
    const reply = await scrape([FILL], [sealed(VALUE)]);
    const result = reply.ok ? reply.result : undefined;
    expect(JSON.parse(result?.dataJson ?? '')).toEqual({
      log: `${VALUE.length}`,
      title: '[redacted]',
      value: '[redacted]',
    });
    expect(result?.actions).toMatchObject([{ outcome: 'done' }]);
    const { snapshot, ...shown } = result ?? {};
    expect(JSON.stringify(shown)).not.toMatch(/horse/);
    const { brotliDecompressSync, gunzipSync } = await import('node:zlib');
    const bytes = Buffer.from(snapshot?.source ?? '', 'base64');
    const source = [brotliDecompressSync, gunzipSync].flatMap((unpack) => {
      try {
        return [unpack(bytes).toString()];
      } catch {
        return [];
      }
    });
    expect(source.join()).toContain('[redacted]');
    expect(source.join()).not.toMatch(/horse/);
  });

  it('are hidden in URLs', async () => {
    const reply = await scrape([FILL, { press: 'Enter' }], [sealed(VALUE)]);
    const result = reply.ok ? reply.result : undefined;
    expect(result?.finalUrl).toContain('p=[redacted]');
    expect(result?.actions?.[1]?.url).toContain('p=[redacted]');
    expect(scraper.origin.requests.some(({ url }) => url.includes('horse'))).toBe(true);
    expect(JSON.stringify(reply)).not.toMatch(/horse/);
    expect(scraper.logLines.join()).not.toMatch(/horse/);
  });

  it('are hidden in captured responses and in their URLs', async () => {
    const form = page(
      '<input id=p>',
      "$('#p').oninput = () => fetch('/echo?p=' + encodeURIComponent($('#p').value));",
    );
    const capture = { echo: { url: '/echo*', wait: 1 } };
    const reply = await scrape([FILL], [sealed(VALUE)], { path: form, capture });
    const { echo } = JSON.parse(reply.ok ? (reply.result.capturedJson ?? '') : '');
    expect(echo).toMatchObject([{ url: expect.stringContaining('[redacted]'), json: { method: 'GET' } }]);
    expect(JSON.stringify(echo)).not.toMatch(/horse/);
    expect(scraper.origin.requests.some(({ url }) => /echo.*horse/.test(url))).toBe(true);
  });

  it('that are short are hidden where they stand alone', async () => {
    const reply = await scrape([FILL], [sealed('1234')]);
    expect(JSON.parse(reply.ok ? (reply.result.dataJson ?? '') : '')).toMatchObject({
      log: '4',
      value: '[redacted]',
    });
  });

  it('are on no image of the page, nor is anything of its document', async () => {
    const actions: Action[] = [{ waitFor: '#p' }, FILL, { waitFor: 0 }, { press: 'Enter' }];
    const reply = await scrape(actions, [sealed(VALUE)], { stepScreenshots: true });
    const images = reply.ok ? reply.result.attempts.at(-1)?.stepScreenshots : undefined;
    expect(images?.map(({ index }) => index)).toEqual([0, 3]);
  });

  it('are written into frames of their origins alone', async () => {
    const fill: Action = { fill: 'input', value: { secret: 'shop' }, frame: 'iframe' };
    const framed = (attributes: string) =>
      page(
        `<iframe ${attributes} srcdoc='<input oninput="parent.postMessage(value.length, \`*\`)">'></iframe>`,
        "addEventListener('message', ({ data }) => log(data));",
      );
    const reply = await scrape([fill], [sealed(VALUE)], { path: framed('') });
    expect(reply).toMatchObject({ ok: true });
    expect(JSON.parse(reply.ok ? (reply.result.dataJson ?? '') : '')).toMatchObject({
      log: `${VALUE.length}`,
    });
    const other = await scrape([fill], [sealed(VALUE)], { path: framed('sandbox="allow-scripts"') });
    const message = '"input": the page is of an origin that the secret is not for';
    expect(other).toMatchObject({ ok: false, failure: { details: [{ path: 'actions.0', message }] } });
  });

  it.each<[string, () => readonly SealedSecret[], string]>([
    ['are not there', () => [], 'the secret for it is not there any more'],
    [
      'were encrypted with another key',
      () => [sealed(VALUE, { key: 'l'.repeat(40) })],
      'another SECRETS_KEY',
    ],
    [
      'are for other origins',
      () => [sealed(VALUE, { origins: ['https://shop.example'] })],
      'of an origin that the secret is not for',
    ],
    [
      'were moved to other origins',
      () => [{ ...sealed(VALUE), origins: [scraper.origin.url] }],
      'the secret for it is not there any more',
    ],
  ])('that %s are not written', async (_name, secrets, message) => {
    const reply = await scrape([FILL], secrets());
    expect(reply).toMatchObject({
      ok: false,
      failure: {
        code: 'ACTION_FAILED',
        details: [{ path: 'actions.0', message: expect.stringContaining(message) }],
      },
    });
  });
});
