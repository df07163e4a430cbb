import { afterEach, describe, expect, it } from '@jest/globals';
import type { Site } from '../sites/start-site.ts';
import { HOSTILE_SITE_NAMES, type HostileSiteName, startHostileSite } from './start-hostile-site.ts';

let site: Site;
afterEach(() => site.close());

async function start(name: HostileSiteName): Promise<void> {
  site = await startHostileSite(name);
}

async function read(path: string): Promise<string> {
  const response = await fetch(new URL(path, site.origin));
  expect(response.status).toBe(200);
  return response.text();
}

/** Returns the paths that a page links to. */
async function linksAt(path: string): Promise<string[]> {
  const base = new URL(path, site.origin);
  const html = await read(path);
  return [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => {
    const { origin, pathname, search } = new URL(href.replaceAll('&amp;', '&'), base);
    return (origin === site.origin ? '' : origin) + pathname + search;
  });
}

describe('each hostile site', () => {
  it.each(HOSTILE_SITE_NAMES)('%s answers its home page, and logs the fetch', async (name) => {
    await start(name);
    expect((await read('/')).length).toBeGreaterThan(0);
    expect(site.fetches).toEqual([{ method: 'GET', url: `${site.origin}/`, atMs: expect.any(Number) }]);
  });
});

describe('sites with a hostile robots.txt', () => {
  it('hugeRobots has 10 MiB with a rule at each end', async () => {
    await start('hugeRobots');
    const robots = await read('/robots.txt');
    expect(robots.length).toBeGreaterThan(10 * 1_048_576);
    expect(robots.slice(0, 60)).toContain('Disallow: /first/\n');
    expect(robots.slice(-60)).toContain('Disallow: /last/\n');
  });

  it('manyWildcards has 20,000 rules', async () => {
    await start('manyWildcards');
    const rules = [...(await read('/robots.txt')).matchAll(/^Disallow: (\S+)$/gm)].map(
      ([, rule = '']) => rule,
    );
    expect(new Set(rules).size).toBe(20_000);
    expect(rules.every((rule) => rule.split('*').length > 8)).toBe(true);
    expect((await linksAt('/')).some((path) => /a{200}/.test(path))).toBe(true);
  });

  it('htmlRobots answers with a page', async () => {
    await start('htmlRobots');
    const response = await fetch(`${site.origin}/robots.txt`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });
});

describe('sites with a hostile sitemap', () => {
  afterEach(async () => {
    expect(await read('/robots.txt')).toBe(`Sitemap: ${site.origin}/sitemap.xml\n`);
  });

  it('indexOfItself lists itself, and itself under new names', async () => {
    await start('indexOfItself');
    const listed = [...(await read('/sitemap.xml?level=12')).matchAll(/<loc>(.*?)<\/loc>/g)].map(
      ([, url]) => url,
    );
    expect(listed).toEqual(
      ['', '?level=121', '?level=122'].map((query) => `${site.origin}/sitemap.xml${query}`),
    );
  });
});

describe('sites with hostile pages', () => {
  it('canonicalHome names its home page as canonical for pages that differ', async () => {
    await start('canonicalHome');
    const pages = await Promise.all((await linksAt('/')).map(read));
    expect(pages).toHaveLength(10);
    for (const html of pages) expect(html).toContain(`<link rel="canonical" href="${site.origin}/">`);
    expect(new Set(pages.map((html) => /<p>.*<\/p>/.exec(html)?.[0])).size).toBe(10);
  });

  it('twinNames shows the same page under two names, with links to the other', async () => {
    await start('twinNames');
    const other = site.origin.replace('127.0.0.1', 'localhost');
    expect(await linksAt('/')).toEqual([`${other}/`, `${other}/about`]);
    const html = await read('/about');
    expect((await read(`${other}/about`)).replaceAll('127.0.0.1', 'localhost')).toBe(html);
  });
});
