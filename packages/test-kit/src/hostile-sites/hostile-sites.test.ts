import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import type { Site } from '../sites/start-site.ts';
import { createCertificate } from '../tls/create-certificate.ts';
import { HOSTILE_SITE_NAMES, type HostileSiteName, startHostileSite } from './start-hostile-site.ts';
import { startSchemeTwins } from './start-scheme-twins.ts';

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

/** Follows one link of each page in turn; returns the paths that it came to. */
async function wander(
  path: string,
  steps: number,
  pick: (links: string[]) => string | undefined,
): Promise<string[]> {
  const paths = [path];
  for (let step = 0; step < steps; step += 1) paths.push(pick(await linksAt(paths.at(-1) ?? path)) ?? path);
  return paths;
}

describe('each hostile site', () => {
  it.each(HOSTILE_SITE_NAMES)('%s answers its home page, and logs the fetch', async (name) => {
    await start(name);
    expect((await read('/')).length).toBeGreaterThan(0);
    expect(site.fetches).toEqual([{ method: 'GET', url: `${site.origin}/`, atMs: expect.any(Number) }]);
  });
});

describe('endless sites', () => {
  afterEach(async () => {
    // Those that are endless by their links have no rules against it.
    expect((await fetch(`${site.origin}/robots.txt`)).status).toBe(404);
  });

  it('the calendar has a next month for each month, across years', async () => {
    await start('calendar');
    expect((await wander('/calendar/2026/11', 3, (links) => links[1])).slice(1)).toEqual([
      '/calendar/2026/12',
      '/calendar/2027/1',
      '/calendar/2027/2',
    ]);
    expect(await linksAt('/calendar/1999/1')).toContain('/calendar/1998/12');
    expect(await linksAt('/calendar/2026/11/5')).toEqual(['/calendar/2026/11']);
  });

  it('endlessPages has a next page for each page, with another text', async () => {
    await start('endlessPages');
    expect((await wander('/', 2, (links) => links[0])).at(-1)).toBe('/list?page=3');
    expect(await linksAt('/list?page=4000000')).toContain('/list?page=4000001');
    const texts = await Promise.all(Array.from({ length: 50 }, (_, page) => read(`/list?page=${page}`)));
    const paragraphs = texts.map((html) => /<p>(.*?)<\/p>/.exec(html)?.[1]);
    expect(new Set(paragraphs).size).toBe(50);
  });

  it.each([
    ['sessionInPath', /^\/s\/[0-9a-f]{32}\/page\/1$/],
    ['sessionInQuery', /^\/page\/1\?visit=[0-9a-f]{32}$/],
  ] as const)('%s has new addresses for the same pages on each visit', async (name, pattern) => {
    await start(name);
    const [first = '', second = ''] = [(await linksAt('/'))[0], (await linksAt('/'))[0]];
    expect(first).toMatch(pattern);
    expect(second).toMatch(pattern);
    expect(first).not.toBe(second);
    const body = async (path: string) => /<p>.*<\/p>/.exec(await read(path))?.[0];
    expect(await body(first)).toBe(await body(second));
  });

  it('growingLink leads deeper from each page', async () => {
    await start('growingLink');
    expect((await wander('/', 4, (links) => links[0])).at(-1)).toBe('/more/more/more/more/');
  });

  it('facets link each combination of 20 filters to those that differ in one', async () => {
    await start('facets');
    const links = await linksAt('/goods?f0=1&f3=1');
    expect(new Set(links).size).toBe(20);
    expect(links).toEqual(expect.arrayContaining(['/goods?f3=1', '/goods?f0=1&f19=1&f3=1']));
    const every = await wander('/', 20, (found) => found.toSorted((a, b) => b.length - a.length)[0]);
    expect(every.at(-1)?.match(/f\d+=1/g)).toHaveLength(20);
  });

  it('softNotFound says 200 and the same text under each path, with other links', async () => {
    await start('softNotFound');
    const [one, other] = [await linksAt('/old/1'), await linksAt('/old/2')];
    expect(one).toHaveLength(3);
    expect(one.filter((path) => other.includes(path))).toEqual([]);
    expect(await read(one[0] ?? '')).toContain('We could not find this page.');
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

  it('failingRobots answers 503', async () => {
    await start('failingRobots');
    expect((await fetch(`${site.origin}/robots.txt`)).status).toBe(503);
  });

  it('loopingRobots redirects without end', async () => {
    await start('loopingRobots');
    await expect(fetch(`${site.origin}/robots.txt`)).rejects.toThrow('fetch failed');
    expect(site.fetches.length).toBeGreaterThan(10);
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

  it('sitemapBomb unpacks to about a thousand times its size', async () => {
    await start('sitemapBomb');
    const body = Buffer.from(await (await fetch(`${site.origin}/sitemap.xml`)).arrayBuffer());
    let [bytes, beginning] = [0, ''];
    const unpacked = createGunzip().end(body);
    for await (const chunk of unpacked) {
      if (bytes === 0) beginning = String(chunk).slice(0, 12);
      bytes += (chunk as Buffer).length;
    }
    expect(beginning).toContain('<urlset');
    expect(bytes).toBeGreaterThan(512 * 1_048_576);
    expect(bytes / body.length).toBeGreaterThan(900);
  });

  it('oneLineSitemap has a million URLs in one line', async () => {
    await start('oneLineSitemap');
    const response = await fetch(`${site.origin}/sitemap.xml`);
    let [locations, lines, rest] = [0, 1, ''];
    for await (const chunk of response.body ?? []) {
      const part = rest + Buffer.from(chunk).toString();
      locations += part.split('<loc>').length - 1;
      lines += part.split('\n').length - 1;
      rest = part.slice(part.lastIndexOf('<'));
      if (rest.startsWith('<loc>')) rest = '';
    }
    expect([locations, lines]).toEqual([1_000_000, 1]);
  });

  it('entitySitemap has an entity of a billion characters in a file of few, and one from outside', async () => {
    await start('entitySitemap');
    const xml = await read('/sitemap.xml');
    expect(xml.length).toBeLessThan(2000);
    const entities = new Map(
      [...xml.matchAll(/<!ENTITY (e\d) "([^"]*)">/g)].map(([, name, value = '']) => [name, value]),
    );
    const lengths = new Map<string, number>();
    for (const [name = '', value] of entities) {
      const parts = value.split(';').filter((part) => part !== '');
      const sizes = parts.map((part) =>
        part.startsWith('&') ? (lengths.get(part.slice(1)) ?? 0) : part.length,
      );
      lengths.set(
        name,
        sizes.reduce((sum, size) => sum + size, 0),
      );
    }
    expect(lengths.get('e9')).toBe(1_000_000_000);
    expect(xml).toContain(`SYSTEM "${site.origin}/outside.txt"`);
  });
});

describe('sites with hostile pages', () => {
  it('manyLinks has 50,000 links on each page', async () => {
    await start('manyLinks');
    expect(new Set(await linksAt('/n/7')).size).toBe(50_000);
  });

  it('longUrls has links of 8 KiB that lead to pages', async () => {
    await start('longUrls');
    const links = await linksAt('/');
    const [path = '', query = ''] = links;
    expect([path.length, query.length].map((length) => length + site.origin.length)).toEqual([8192, 8192]);
    expect(new Set(links).size).toBe(21);
    expect(await read(path)).toContain('Long addresses.');
  });

  it('canonicalHome names its home page as canonical for pages that differ', async () => {
    await start('canonicalHome');
    const pages = await Promise.all((await linksAt('/')).map(read));
    expect(pages).toHaveLength(10);
    for (const html of pages) expect(html).toContain(`<link rel="canonical" href="${site.origin}/">`);
    expect(new Set(pages.map((html) => /<p>.*<\/p>/.exec(html)?.[0])).size).toBe(10);
  });

  it('stalledPages accepts requests that it never answers', async () => {
    await start('stalledPages');
    const leaving = new AbortController();
    const waiting = fetch(`${site.origin}/slow/1`, { signal: leaving.signal });
    await eventually(() => expect(site.fetches).toHaveLength(1));
    leaving.abort();
    await expect(waiting).rejects.toThrow('aborted');
    expect(await linksAt('/')).toContain('/slow/1');
  });

  it('twinNames shows the same page under two names, with links to the other', async () => {
    await start('twinNames');
    const other = site.origin.replace('127.0.0.1', 'localhost');
    expect(await linksAt('/')).toEqual([`${other}/`, `${other}/about`]);
    const html = await read('/about');
    expect((await read(`${other}/about`)).replaceAll('127.0.0.1', 'localhost')).toBe(html);
  });
});

describe('startSchemeTwins', () => {
  it('serves http and https on one port, with links to the other', async () => {
    const certificate = createCertificate();
    site = await startSchemeTwins(certificate);
    const secure = site.origin.replace('http:', 'https:');
    expect(await linksAt('/')).toEqual([`${secure}/`, `${secure}/about`]);
    const html = await new Promise<string>((done, fail) => {
      request(`${secure}/about`, { rejectUnauthorized: false }, (response) => {
        text(response).then(done, fail);
      })
        .on('error', fail)
        .end();
    });
    expect(html).toContain(`<a href="${site.origin}/about">`);
    expect(site.fetches.map(({ url }) => url)).toEqual([`${site.origin}/`, `${secure}/about`]);
  });
});
