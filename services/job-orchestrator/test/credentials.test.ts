import type { CreateJobRequest } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

const HEADERS = { Authorization: 'Bearer caller', 'x-api-KEY': 'caller', 'Accept-Language': 'eo' };
const SHARED = { name: 'shared', value: 'x', domain: 'a.test' };
const SECRETS = { headers: HEADERS, cookies: [{ name: 'session', value: 'caller' }, SHARED] };
/** Options that go with a page of another origin. */
const OPEN = { headers: { 'Accept-Language': 'eo' }, cookies: [SHARED] };

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  await bed.startOrchestrator();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Runs a job with credentials; returns which of them went to each URL. */
async function sentBy(request: CreateJobRequest, status: 'completed' | 'partial' = 'completed') {
  const { id } = await bed.create({ ...request, ...SECRETS });
  await bed.untilJob(id, status);
  const sent = scraper.commands.map(({ request: { url, headers, cookies } }) => {
    return [url, defined({ headers, cookies })] as const;
  });
  return Object.fromEntries(sent);
}

describe('credentials of a crawl', () => {
  it('go to the origins of its start URLs alone, however its pages are found', async () => {
    const site = crawling({
      pages: {
        '/': {
          links: [
            '/a',
            'https://a.test/secure',
            'http://a.test:81/port',
            'http://b.test/linked',
            '>http://c.test/next',
          ],
        },
        '/a': { links: [] },
        '/secure': { links: [] },
        '/port': { links: [] },
        '/linked': { links: ['http://a.test/back'] },
        '/back': { links: [] },
        '/next': { links: [] },
        '/listed': { links: [] },
        '/moved': { redirect: 'http://e.test/target' },
        '/target': { links: [] },
      },
      robots: { sitemaps: ['http://d.test/map.xml'] },
      sitemaps: { '/map.xml': { urls: ['http://d.test/listed'] } },
    });
    scraper.follow(site);
    const sent = await sentBy({
      urls: ['http://a.test/', 'http://s.test/moved'],
      crawl: { scope: 'any', rules: [{ match: '/', next: 'a.next' }] },
    });
    expect(sent).toEqual({
      'http://a.test/robots.txt': {},
      'http://s.test/robots.txt': {},
      'http://d.test/map.xml': {},
      'http://a.test/': SECRETS,
      'http://a.test/a': SECRETS,
      'http://a.test/back': SECRETS,
      // The usual port of https is as good as that of http.
      'https://a.test/secure': SECRETS,
      'http://s.test/moved': SECRETS,
      'http://a.test:81/port': OPEN,
      'http://b.test/linked': OPEN,
      'http://c.test/next': OPEN,
      'http://d.test/listed': OPEN,
      'http://e.test/target': OPEN,
      ...Object.fromEntries(
        [
          'https://a.test',
          'http://a.test:81',
          ...['b', 'c', 'd', 'e'].map((host) => `http://${host}.test`),
        ].map((origin) => [`${origin}/robots.txt`, {}]),
      ),
    });
  });
});

describe('credentials of other jobs', () => {
  it('go to the origin of each URL', async () => {
    expect(await sentBy({ urls: ['http://a.test/', 'http://b.test/'] })).toEqual({
      'http://a.test/': SECRETS,
      'http://b.test/': SECRETS,
    });
  });

  it('go only where those of the crawl went whose pages are scraped again', async () => {
    scraper.follow(crawling({ pages: { '/': { links: [] } } }));
    const request = {
      urls: ['http://a.test/', 'http://b.test/'],
      crawl: { sitemap: 'skip' as const },
      ...SECRETS,
    };
    const { id } = await bed.create(request, { credentialOrigins: ['http://a.test'] });
    await bed.untilJob(id, 'completed');
    const pages = scraper.commands.filter(({ crawl }) => crawl?.purpose === 'page');
    expect(pages.map(({ request: { url, headers } }) => [url, headers]).toSorted()).toEqual([
      ['http://a.test/', HEADERS],
      ['http://b.test/', OPEN.headers],
    ]);
  });
});
