import { attributeOf, type Node } from '../../dom/node.ts';
import { parseUrl } from '../../dom/parse-url.ts';
import { collapse } from '../../read/text-of.ts';
import type { MetadataContext } from './collect-sources.ts';

/** A feed of the page. */
export type LinkedFeed = {
  readonly url: string;
  readonly title: string | null;
  readonly type: string | null;
};

/** An icon of the page; `sizes` is as in HTML, such as "32x32 48x48". */
export type LinkedIcon = {
  readonly url: string;
  readonly sizes: string | null;
  readonly type: string | null;
};

/** Resources that <link> elements relate to the page. */
export interface RelatedResources {
  readonly canonical: string | null;
  readonly feeds: readonly LinkedFeed[];
  readonly icons: readonly LinkedIcon[];
}

/** Number of <link> elements that are read from one page. */
const MAX_LINKS = 10_000;

/** Reads the canonical URL, the feeds and the icons, with absolute URLs; links without a valid one are left out. */
export function readRelated(links: readonly Node[], context: MetadataContext): RelatedResources {
  let canonical: string | null = null;
  const feeds: LinkedFeed[] = [];
  const icons: LinkedIcon[] = [];
  for (const link of links.slice(0, MAX_LINKS)) {
    const url = urlOf(link, context);
    if (url === undefined) continue;
    const rels = new Set(attributeOf(link, 'rel')?.toLowerCase().split(/\s+/));
    const type = attributeOf(link, 'type')?.trim().toLowerCase() || null;
    if (rels.has('canonical')) canonical ??= url;
    if (isFeed(rels, type))
      feeds.push({ url, title: collapse(attributeOf(link, 'title') ?? '') || null, type });
    if (ICON_RELS.some((rel) => rels.has(rel))) {
      icons.push({ url, sizes: attributeOf(link, 'sizes')?.trim() || null, type });
    }
  }
  return { canonical, feeds, icons };
}

const ICON_RELS = ['icon', 'apple-touch-icon', 'apple-touch-icon-precomposed', 'mask-icon'];

const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);

function isFeed(rels: ReadonlySet<string>, type: string | null): boolean {
  return rels.has('feed') || (rels.has('alternate') && type !== null && FEED_TYPES.has(type));
}

function urlOf(link: Node, { base, budget }: MetadataContext): string | undefined {
  const href = attributeOf(link, 'href');
  if (href === undefined) return undefined;
  const url = parseUrl(href, base(), budget);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}
