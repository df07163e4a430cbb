import type { PageKind, PageOutcome, RobotsFound } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { compileFilter } from '@gleaner/frontier';
import { failed, found, foundAs, type PageScript } from './scripted-scraper.ts';

/** Content of a path: links (`>` marks a link to the next page) and text, the target of a redirect, or an error. */
export type SitePage =
  | {
      readonly links: readonly string[];
      readonly text?: string;
      /** Data that are extracted from it, instead of its text. */
      readonly data?: object;
      readonly etag?: string;
      /** Kind of page that it is taken for. */
      readonly verdict?: PageKind;
      readonly canonical?: string;
    }
  | { readonly redirect: string }
  | { readonly error: 'NOT_FOUND' | 'UPSTREAM_ERROR' }
  | { readonly file: string };

/** A site by URL path; on every host the same. */
export interface ScriptedSite {
  readonly pages: Readonly<Record<string, SitePage>>;
  readonly robots?: Partial<RobotsFound> | 'fails';
  readonly sitemaps?: Readonly<
    Record<string, { readonly urls?: readonly string[]; readonly sitemaps?: readonly string[] }>
  >;
}

/** Returns a script that answers commands of a crawl as a scraper of the site does. */
export function crawling({ pages, robots = {}, sitemaps = {} }: ScriptedSite): PageScript {
  return ({ body }) => {
    const { crawl, request } = body;
    if (!crawl) return found(body);
    const url = new URL(request.url);
    const filter = compileFilter(crawl.filter);
    const path = url.pathname + url.search;
    if (crawl.purpose === 'robots') {
      if (robots === 'fails') return failed('UPSTREAM_ERROR');
      return { kind: 'robots', rules: [], sitemaps: [], ...robots };
    }
    if (crawl.purpose === 'sitemap') {
      const sitemap = sitemaps[path];
      if (!sitemap) return failed('NOT_FOUND');
      const { urls = [], sitemaps: further = [] } = sitemap;
      return {
        kind: 'sitemap',
        ...admitted(urls, url, filter),
        sitemaps: further.map((other) => new URL(other, url).href),
      };
    }
    const page = pages[path] ?? { error: 'NOT_FOUND' };
    if ('redirect' in page) return { kind: 'redirected', url: new URL(page.redirect, url).href };
    if ('error' in page) return failed(page.error);
    if ('file' in page) return { kind: 'notDocument', contentType: page.file };
    const { data, etag, canonical, verdict = 'content' } = page;
    const { text = data ? JSON.stringify(data) : path } = page;
    if (etag !== undefined && crawl.validators?.etag === etag) return notModified();
    const links = admitted(crawl.follow ? page.links : [], url, filter);
    const leftOut = links.links.length === 0 && links.dropped.excluded ? page.links.slice(0, 5) : [];
    const findings = {
      ...(leftOut.length > 0 && { leftOut: leftOut.map((link) => new URL(link, url).href) }),
      ...links,
      textHash: `text ${text}`,
      dataHash: `data ${text}`,
      ...defined({ etag }),
      ...(canonical !== undefined && { canonicalUrl: new URL(canonical, url).href }),
    };
    const dataJson = JSON.stringify(data ?? { title: request.url, text });
    return { ...foundAs(verdict, body, dataJson), crawl: findings } as PageOutcome['outcome'];
  };
}

function notModified(): PageOutcome['outcome'] {
  const attempts = [{ engine: 'http' as const, statusCode: 304, outcome: 'success', durationMs: 2 }];
  return { kind: 'notModified', timestamp: '2026-02-01T12:00:00.000Z', attempts, durationMs: 2 };
}

function admitted(links: readonly string[], base: URL, filter: ReturnType<typeof compileFilter>) {
  const admissions = links.map((link) => {
    const isNext = link.startsWith('>');
    return { isNext, ...filter.admit(new URL(link.replace(/^>/, ''), base)) };
  });
  const dropped: Record<string, number> = {};
  for (const admission of admissions) {
    if ('link' in admission) continue;
    dropped[admission.droppedBecause] = (dropped[admission.droppedBecause] ?? 0) + 1;
  }
  const patterns = [...new Set(admissions.flatMap((each) => each.patterns ?? []))];
  return {
    ...(patterns.length > 0 && { patterns }),
    links: admissions.flatMap((each) =>
      'link' in each ? [{ ...each.link, ...(each.isNext && { isNext: true as const }) }] : [],
    ),
    dropped,
  };
}
