import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClosureOptions, closureOf } from './closure-of.ts';
import { linksOf } from './graph-links.ts';
import { findPage, pageOf, urlOf } from './graph-page.ts';
import { sitemapUrls } from './graph-sitemaps.ts';
import { pageKey } from './page-key.ts';
import { renderGraphPage } from './render-graph-page.ts';
import { type RunningSiteGraph, startSiteGraph } from './start-site-graph.ts';

const SIZE = 600;
const SEEDS = [1, 2, 77];
const sites = new Map<number, RunningSiteGraph>();
beforeAll(async () => {
  for (const seed of SEEDS) sites.set(seed, await startSiteGraph({ seed, size: SIZE, hosts: 3 }));
});
afterAll(async () => {
  for (const site of sites.values()) await site.close();
});

function siteOf(seed: number): RunningSiteGraph {
  const site = sites.get(seed);
  if (!site) throw new Error(`There is no graph ${seed}.`);
  return site;
}

const ids = Array.from({ length: SIZE }, (_, id) => id);
const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Returns the answer to one request, and the keys that the links in its document lead to. */
async function read(url: string) {
  const response = await fetch(url, { redirect: 'manual' });
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  const html = isHtml ? await response.text() : '';
  const base = new URL(/<base href="([^"]*)"/.exec(html)?.[1] ?? '', url).href;
  const isNofollow =
    /<meta name="robots" content="[^"]*nofollow/.test(html) || response.headers.has('x-robots-tag');
  const links = [...html.matchAll(/<(a|area|link)\b([^>]*)>/g)].flatMap(([, , attributes = '']) => {
    const href = URL.parse(unescaped(/href="([^"]*)"/.exec(attributes)?.[1] ?? ''), base)?.href ?? '';
    const isCanonical = attributes.includes('rel="canonical"');
    const isShunned = !isCanonical && (isNofollow || attributes.includes('nofollow'));
    return href.startsWith('http:') && response.status === 200 ? [{ href, isShunned }] : [];
  });
  return { status: response.status, isHtml, location: response.headers.get('location'), links };
}

/** Crawls a site level by level as its documents are served; denies what the tests of robots.txt below deny. */
async function crawl(
  start: string,
  { robots = 'obey', sitemap = [] as readonly string[], maxDepth = 10 } = {},
) {
  const found = new Map<string, string>();
  const { host } = new URL(start);
  let level = [start];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    if (depth === 1) level.push(...sitemap);
    const next: string[] = [];
    for (let at = 0; at < level.length; at += 1) {
      const url = level[at] as string;
      const key = pageKey(url);
      if (found.has(key) || new URL(url).host !== host) continue;
      const isDenied = /\/private\/(?!open\/)|[?&]print=1$|\/drafts\/|\/caf%C3%A9-13/i.test(key);
      if (robots === 'obey' && isDenied) {
        found.set(key, `${depth} denied`);
        continue;
      }
      const { status, isHtml, location, links } = await read(url);
      const kind = status >= 400 ? 'missing' : isHtml ? 'page' : 'file';
      found.set(key, `${depth} ${location === null ? kind : 'redirect'}`);
      if (location !== null) level.push(location);
      next.push(...links.filter(({ isShunned }) => robots !== 'obey' || !isShunned).map(({ href }) => href));
    }
    level = next;
  }
  return found;
}

function summary(site: RunningSiteGraph, options: ClosureOptions) {
  return new Map(
    closureOf(site.graph, options).map(({ key, depth, outcome }) => [key, `${depth} ${outcome}`]),
  );
}

describe('closureOf', () => {
  it.each(SEEDS)(
    'names the pages that a crawl of the documents finds, with their depths (seed %i)',
    async (seed) => {
      const site = siteOf(seed);
      const start = site.urlOf(0);
      const sitemap = sitemapUrls(site.graph, 0);
      expect(summary(site, { sitemap: 'skip' })).toEqual(await crawl(start));
      expect(summary(site, {})).toEqual(await crawl(start, { sitemap }));
      expect(summary(site, { robots: 'ignore', maxDepth: 3 })).toEqual(
        await crawl(start, { robots: 'ignore', sitemap, maxDepth: 3 }),
      );
    },
  );

  it.each(SEEDS)('comes to most of the graph, by each kind of page (seed %i)', (seed) => {
    const { graph } = siteOf(seed);
    const entries = closureOf(graph, { scope: 'any' });
    expect(entries.length).toBeGreaterThan(SIZE * 0.8);
    expect(entries.length).toBeLessThan(SIZE);
    const outcomes = new Set(entries.map(({ outcome }) => outcome));
    expect(outcomes).toEqual(new Set(['page', 'missing', 'redirect', 'file', 'denied']));
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
    for (const { outcome, hasResult, isFetched } of entries) {
      expect(hasResult).toBe(outcome === 'page' || outcome === 'missing');
      expect(isFetched).toBe(outcome !== 'denied');
    }
  });

  it.each(SEEDS)('differs by each option (seed %i)', (seed) => {
    const site = siteOf(seed);
    const sizes = new Set(
      [
        {},
        { scope: 'any' },
        { sitemap: 'skip' },
        { sitemap: 'only' },
        { robots: 'ignore' },
        { maxDepth: 2 },
        { maxDepth: 0 },
        { include: ['/docs/**'] },
        { exclude: [{ regex: 'item-[0-9]+' }] },
      ].map((options) => closureOf(site.graph, options as ClosureOptions).length),
    );
    expect(sizes.size).toBe(9);
    expect(closureOf(site.graph, { maxDepth: 0 })).toHaveLength(1);
  });

  it('follows links that its patterns admit, and start URLs always', () => {
    const site = siteOf(1);
    const entries = closureOf(site.graph, { include: ['/docs/*', '/blog/*'], exclude: ['**?print=*'] });
    const [start, ...others] = entries.map(({ key }) => new URL(`http://${key}`));
    expect(start?.pathname).toBe('/');
    expect(others.length).toBeGreaterThan(20);
    for (const { pathname, search } of others) expect(pathname + search).toMatch(/^\/(?:docs|blog)\/[^/?]+$/);
  });

  it('gives a result for a start URL that robots.txt denies', () => {
    const { graph } = siteOf(1);
    const denied = pageOf(
      graph,
      ids.find((id) => pageOf(graph, id).area === 'private' && pageOf(graph, id).host === 0) ?? 0,
    );
    const [entry, ...others] = closureOf(graph, { starts: [urlOf(graph, denied)], sitemap: 'skip' });
    expect(entry).toMatchObject({ outcome: 'startDenied', hasResult: true, isFetched: false });
    expect(others).toEqual([]);
  });

  it('takes in the host that a start URL redirects to', () => {
    const { graph } = siteOf(1);
    const isAcross = (id: number) => {
      const { kind, host, target = 0 } = pageOf(graph, id);
      return (
        kind === 'redirect' && pageOf(graph, target).host !== host && pageOf(graph, target).kind === 'page'
      );
    };
    const redirect = pageOf(graph, ids.find(isAcross) ?? 0);
    const entries = closureOf(graph, { starts: [urlOf(graph, redirect)], sitemap: 'skip', robots: 'ignore' });
    expect(new Set(entries.map(({ key }) => key.split('/', 1)[0])).size).toBe(2);
    expect(entries.slice(0, 2).map(({ depth }) => depth)).toEqual([0, 0]);
  });
});

describe('the graph', () => {
  it('depends on its seed only', () => {
    const origins = ['http://a.test', 'http://b.test'];
    const documents = (seed: number) => {
      const graph = { seed, size: 50, origins };
      return Array.from({ length: 50 }, (_, id) => renderGraphPage(graph, pageOf(graph, id))).join('');
    };
    expect(documents(5)).toBe(documents(5));
    expect(documents(5)).not.toBe(documents(6));
  });

  it.each(SEEDS)(
    'spells pages in many ways with one key each, at which the page is found (seed %i)',
    (seed) => {
      const { graph } = siteOf(seed);
      const spellings = new Map<string, Set<string>>();
      for (const id of ids) {
        const page = pageOf(graph, id);
        expect(findPage(graph, new URL(urlOf(graph, page)))).toEqual(page);
        for (const { href } of linksOf(graph, page)) {
          const url = URL.parse(href, new URL(page.base ?? '', urlOf(graph, page)).href);
          // An empty link on a page with a base leads to the base, which does not exist.
          if (url?.protocol !== 'http:' || url.pathname === page.base) continue;
          expect(findPage(graph, url)).toBeDefined();
          const key = pageKey(url);
          spellings.set(key, (spellings.get(key) ?? new Set()).add(url.href));
        }
      }
      const counts = [...spellings.values()].map(({ size }) => size);
      expect(counts.filter((count) => count > 2).length).toBeGreaterThan(SIZE / 4);
      const all = [...spellings.values()].flatMap((set) => [...set]).join('\n');
      for (const sign of [
        '#part-',
        'utm_source=',
        'gclid=',
        ';jsessionid=',
        '%c3%a9',
        '%67uide',
        'view=all&group=',
      ])
        expect(all).toContain(sign);
    },
  );

  it('has pages that only the sitemap, a page of the sitemap, or links with nofollow lead to', () => {
    const { graph } = siteOf(2);
    const linked = new Map<number, Set<string>>();
    for (const id of ids) {
      const page = pageOf(graph, id);
      for (const { href, isNofollow } of linksOf(graph, page)) {
        const target = findPage(
          graph,
          new URL(URL.parse(href, new URL(page.base ?? '', urlOf(graph, page)).href) ?? 'http://none.test'),
        );
        const way = isNofollow ? 'nofollow' : page.role;
        if (target && target.id !== id) linked.set(target.id, (linked.get(target.id) ?? new Set()).add(way));
      }
    }
    const ways = (role: string) =>
      new Set(
        ids
          .filter((id) => pageOf(graph, id).role === role)
          .flatMap((id) => [...(linked.get(id) ?? ['none'])]),
      );
    expect(ways('listed')).toEqual(new Set(['none']));
    expect(ways('shunned')).toEqual(new Set(['nofollow']));
    expect(ways('hidden')).toContain('listed');
    expect(ways('hidden')).not.toContain('linked');
    const listed = new Set(graph.origins.flatMap((_, host) => sitemapUrls(graph, host)).map(pageKey));
    for (const id of ids) {
      const { role } = pageOf(graph, id);
      const isListed = listed.has(pageKey(urlOf(graph, pageOf(graph, id))));
      if (role !== 'linked') expect(isListed).toBe(role === 'listed');
    }
  });
});

describe('startSiteGraph', () => {
  it('serves a robots.txt by name, one for all, and none', async () => {
    const { graph } = siteOf(1);
    const [named, all, missing] = await Promise.all(
      graph.origins.map(async (origin) => {
        const response = await fetch(`${origin}/robots.txt`);
        return response.ok ? await response.text() : response.status;
      }),
    );
    expect(named).toMatch(/User-agent: \*\nDisallow: \/\n\nUser-agent: gleaner\nDisallow: \/private\/\n/);
    expect(all).toMatch(/User-agent: \*\nDisallow: \/private\/\nAllow: \/private\/open\/\n/);
    expect(missing).toBe(404);
    expect(named).toContain(`Sitemap: ${graph.origins[0]}/maps/index.xml`);
  });

  it('serves the sitemaps, gzipped in parts', async () => {
    const { graph } = siteOf(1);
    const locations = (xml: string) =>
      [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => unescaped(url));
    for (const [host, path] of ['/maps/index.xml', '/maps/index.xml', '/sitemap.xml'].entries()) {
      const parts = locations(await (await fetch(graph.origins[host] + path)).text());
      expect(parts.some((url) => url.endsWith('.gz'))).toBe(true);
      const files = parts.map(async (url) => {
        const body = Buffer.from(await (await fetch(url)).arrayBuffer());
        return locations((url.endsWith('.gz') ? gunzipSync(body) : body).toString());
      });
      expect((await Promise.all(files)).flat()).toEqual(sitemapUrls(graph, host));
    }
    expect((await fetch(`${graph.origins[0]}/maps/99.xml`)).status).toBe(404);
  });

  it('logs each fetch with its time', async () => {
    await using site = await startSiteGraph({ seed: 9, size: 20, hosts: 1 });
    const before = Date.now();
    await fetch(`${site.urlOf(0)}?utm_source=me`);
    await fetch(`${site.urlOf(0)}nothing`, { method: 'POST' });
    expect(site.fetches).toEqual([
      { method: 'GET', url: `${site.urlOf(0)}?utm_source=me`, atMs: expect.any(Number) },
      { method: 'POST', url: `${site.urlOf(0)}nothing`, atMs: expect.any(Number) },
    ]);
    expect(site.fetches[0]?.atMs).toBeGreaterThanOrEqual(before);
  });

  it('tells hosts apart by their names on one port', async () => {
    await using site = await startSiteGraph({ seed: 9, size: 20, hosts: ['a.test', 'b.test'] });
    const { port } = new URL(site.urlOf(1));
    expect(site.urlOf(1)).toBe(`http://b.test:${port}/`);
    const titleAt = (host: string) =>
      new Promise<string>((done, fail) => {
        get({ port, host: '127.0.0.1', path: '/', headers: { host: `${host}:${port}` } }, (response) => {
          text(response).then((html) => done(/<h1>(.*)<\/h1>/.exec(html)?.[1] ?? ''), fail);
        }).on('error', fail);
      });
    expect([await titleAt('a.test'), await titleAt('b.test'), await titleAt('c.test')]).toEqual([
      'Page 0',
      'Page 1',
      'Not found',
    ]);
  });
});
