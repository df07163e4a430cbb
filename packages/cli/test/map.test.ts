import { describe, expect, it } from '@jest/globals';
import { runGleaner, runOnTerminal } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const URLS = [
  { url: 'https://a.test/', text: 'Shop' },
  {
    url: 'https://a.test/b',
    foundOn: 'https://a.test/sitemap.xml',
    lastModified: '2026-01-02T00:00:00.000Z',
  },
];
const SOURCES = [
  { kind: 'page', url: 'https://a.test/', found: 1 },
  {
    kind: 'sitemap',
    url: 'https://a.test/sitemap.xml',
    found: 0,
    error: { code: 'TIMEOUT', message: 'Too slow.' },
  },
];
const startMaps = (more: object = {}) =>
  startService((response) =>
    sendJson(response, 200, {
      urls: URLS,
      sources: SOURCES,
      complete: true,
      metadata: {},
      requestId: 'req_1',
      ...more,
    }),
  );

describe('gleaner map', () => {
  it('sends the options and prints the URLs, one JSON object per line', async () => {
    await using service = await startMaps();
    const flags = [
      '--depth',
      '2',
      '--limit',
      '9',
      '--include',
      '/a/**',
      '--search',
      'b c',
      '--ignore-robots',
    ];
    const { code, stdout, stderr } = await runGleaner(['map', 'a.test', ...flags, '--format', 'ndjson'], {
      env: service.env,
    });
    expect([
      code,
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      stderr,
    ]).toEqual([0, URLS, '']);
    expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/map']);
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
      url: 'https://a.test',
      depth: 2,
      limit: 9,
      include: ['/a/**'],
      search: 'b c',
      robots: 'ignore',
    });
  });

  it('prints a table for people, and says why it is not all', async () => {
    await using service = await startMaps({ complete: false, stoppedBy: 'limit' });
    const { stdout } = await runOnTerminal(['map', 'a.test'], { env: service.env });
    expect(stdout).toContain('https://a.test/b');
    expect(stdout).toContain('warning: There are more URLs than the limit');
  });

  it('says why there is nothing but the start page', async () => {
    await using service = await startMaps({ urls: URLS.slice(0, 1), reason: 'The page has no links.' });
    const { stderr } = await runGleaner(['map', 'a.test'], { env: service.env });
    expect(stderr).toBe('warning: The page has no links.\n');
  });

  it('prints the sources as CSV', async () => {
    await using service = await startMaps({ complete: false });
    const { stdout } = await runGleaner(['map', 'a.test', '--sources', '--format', 'csv'], {
      env: service.env,
    });
    expect(stdout).toBe(
      'kind,url,found,remark\r\npage,https://a.test/,1,\r\nsitemap,https://a.test/sitemap.xml,0,Too slow.\r\n',
    );
  });

  it('refuses other depths', async () => {
    const { code, stderr } = await runGleaner(['map', 'a.test', '--depth', '3']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('0, 1, 2')]);
  });
});
