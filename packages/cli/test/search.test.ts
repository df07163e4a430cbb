import { describe, expect, it } from '@jest/globals';
import { runGleaner, runOnTerminal } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const RESULT = { url: 'https://a.test/', title: 'Shop', snippet: 'All books' };
const startSearches = (more: object = {}, status = 200) =>
  startService((response) =>
    sendJson(response, status, {
      success: true,
      results: [RESULT],
      warnings: [],
      metadata: {},
      requestId: 'req_1',
      ...more,
    }),
  );

describe('gleaner search', () => {
  it('sends the options, and prints a result in each line', async () => {
    await using service = await startSearches();
    const flags = ['--limit', '5', '--site', 'a.test', '--time', 'week', '--lang', 'de'];
    const { code, stdout, stderr } = await runGleaner(
      ['search', 'book shop', ...flags, '--format', 'ndjson'],
      {
        env: service.env,
      },
    );
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, RESULT, '']);
    expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/search']);
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
      query: 'book shop',
      limit: 5,
      site: 'a.test',
      time: 'week',
      lang: 'de',
    });
  });

  it('prints a table for people, and warnings beside it', async () => {
    await using service = await startSearches({
      warnings: [{ code: 'RESULTS_LEFT_OUT', message: '1 result.' }],
    });
    const { stdout } = await runOnTerminal(['search', 'books'], { env: service.env });
    expect(stdout).toContain('All books');
    expect(stdout).toContain('warning: 1 result.');
  });

  it('scrapes the results with options of a scrape, and prints their data', async () => {
    const results = [
      { ...RESULT, page: { data: { title: 'Shop' } } },
      { ...RESULT, url: 'https://a.test/b', error: { message: 'It answered 404.' } },
    ];
    await using service = await startSearches({ results });
    const flags = ['-s', 'title=h1', '--render', '--max-credits', '9', '--format', 'csv'];
    const { stdout } = await runGleaner(['search', 'books', ...flags], { env: service.env });
    expect(stdout).toBe(
      'title,url,data,formats,error\r\nShop,https://a.test/,"{""title"":""Shop""}",,\r\nShop,https://a.test/b,,,It answered 404.\r\n',
    );
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
      query: 'books',
      scrape: { selectors: { title: 'h1' }, render: true },
      maxCredits: 9,
    });
  });

  it('says which job scrapes more than ten', async () => {
    await using service = await startSearches({ job: { id: 'job_1' } }, 202);
    const { stderr } = await runGleaner(['search', 'books', '--formats', 'markdown'], { env: service.env });
    expect(stderr).toBe('A job scrapes them: gleaner job results job_1\n');
  });
});
