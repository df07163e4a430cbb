import { eventually, LABELED_PAGES, typedPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

let scraper: TestScraper;

beforeAll(async () => {
  scraper = await startTestScraper();
});
afterAll(async () => {
  await scraper[Symbol.asyncDispose]();
});

describe('the verdict of a scrape', () => {
  it.each(LABELED_PAGES)('calls $path $page, $basis', async ({ path, page, basis, code }) => {
    const first = code === undefined ? [] : [expect.objectContaining({ code })];
    // With selectors a projection of the page is parsed, and without them the whole page.
    for (const selectors of [{ selectors: { missing: '.nowhere' } }, {}]) {
      const reply = await scraper.scrape({ url: path, ...selectors });
      const verdict = reply.ok ? reply.result.verdict : reply.failure;
      expect(verdict).toMatchObject({ page, basis });
      expect(verdict).toHaveProperty('signals', first.length > 0 ? expect.arrayContaining(first) : []);
    }
  });

  it.each([
    ['application/json', '{"error": "Page not found"}', 'content'],
    ['text/plain', 'Not found', 'content'],
    ['application/rss+xml', '<rss><channel/></rss>', 'content'],
    ['text/plain', ' ', 'empty'],
  ])('calls %s with %j %s', async (type, text, page) => {
    const reply = await scraper.scrape({ url: typedPath(type, text) });
    expect(reply.ok && reply.result.verdict).toMatchObject({ page });
  });

  const failures = {
    wall: 'BLOCKED',
    login: 'LOGIN_REQUIRED',
    notFound: 'NOT_FOUND',
    shell: 'RENDER_NEEDED',
  };

  it.each(LABELED_PAGES)('with onSuspect "fail" fails $path as $page only if observed', async (label) => {
    const { path, page, basis } = label;
    const code =
      basis === 'observed' ? Object.entries(failures).find(([kind]) => kind === page)?.[1] : undefined;
    const reply = await scraper.scrape({ url: path, onSuspect: 'fail', selectors: { missing: '.nowhere' } });
    const failure = { code, source: 'target', targetStatusCode: 200 };
    expect(reply).toMatchObject(code === undefined ? { ok: true } : { ok: false, failure });
    if (!reply.ok) expect(reply.failure.message).toContain(label.code);
    const selectors = { missing: { selector: '.nowhere', required: true } };
    const lacking = await scraper.scrape({ url: path, onSuspect: 'fail', selectors });
    const missing = { ...failure, code: code ?? 'REQUIRED_FIELD_MISSING', verdict: page };
    expect(lacking).toMatchObject({ ok: false, failure: missing });
  });

  it('lets antiBot go on from a captcha that fails', async () => {
    const reply = await scraper.scrape({ url: '/suspect/recaptcha-page', onSuspect: 'fail', antiBot: true });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'BLOCKED' } });
    expect(reply.ok ? [] : reply.attempts.map(({ rung }) => rung)).toEqual(
      expect.arrayContaining(['plain', 'chrome']),
    );
  });

  it('comes with the pages of jobs', async () => {
    await scraper.sendPage({ url: '/suspect/react-shell' }, { pageId: 'job_verdict_0' });
    await eventually(() => {
      const outcome = scraper.outcomes.find(({ pageId }) => pageId === 'job_verdict_0')?.outcome;
      expect(outcome).toMatchObject({ kind: 'found', verdict: { page: 'shell', basis: 'observed' } });
    });
  });
});
