import type { Budget } from '../../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../../dom/node.ts';
import { languageOf, type ParsedDocument } from '../../dom/parse-document.ts';
import { parseUrl, resolveBase } from '../../dom/parse-url.ts';
import type { JsonValue } from '../../json/visit-json.ts';
import { once } from '../../once.ts';
import { absoluteUrl } from '../../read/attribute-value.ts';
import { pageNames } from '../../read/page-names.ts';
import { collapse } from '../../read/text-of.ts';
import type { FormatReader } from '../format-reader.ts';
import { collectSources, type MetadataContext } from './collect-sources.ts';
import {
  contentOf,
  metaProperties,
  type PropertyValues,
  readJsonLd,
  readTwitter,
  ValueCollector,
} from './meta-properties.ts';
import { type MicrodataItem, readMicrodata } from './read-microdata.ts';

/** Metadata of a page. A list is empty and a text is null where the page names none. */
export type Metadata = {
  readonly title: string | null;
  readonly description: string | null;
  /** Absolute URL of <link rel="canonical">. */
  readonly canonical: string | null;
  /** BCP 47 tag that the outermost element declares. */
  readonly language: string | null;
  readonly author: string | null;
  /** Content of <meta name="robots">. */
  readonly robots: string | null;
  readonly openGraph: OpenGraph;
  readonly twitter: PropertyValues;
  /** Values of the scripts of type application/ld+json, with lists of values flattened. */
  readonly jsonLd: readonly JsonValue[];
  readonly microdata: readonly MicrodataItem[];
  readonly feeds: readonly LinkedFeed[];
  readonly icons: readonly LinkedIcon[];
};

/** Reads the metadata of a page. Invalid JSON-LD is left out. */
export const readMetadata = ((document, { baseUrl, budget }): Metadata => {
  const context: MetadataContext = { base: once(() => resolveBase(document, baseUrl)), budget };
  const { metas, links, scripts, items } = collectSources(document, budget);
  return {
    ...pageNames(document, budget),
    language: languageOf(document) ?? null,
    author: contentOf(metas, 'author'),
    robots: contentOf(metas, 'robots'),
    ...readRelated(links, context),
    openGraph: readOpenGraph(document, metas, context),
    twitter: readTwitter(metas, budget),
    jsonLd: readJsonLd(scripts, budget),
    microdata: readMicrodata(document, items, context),
  };
}) satisfies FormatReader;

/**
 * Properties of the Open Graph protocol (https://ogp.me) by their names without `og:`; those of other vocabularies keep
 * their prefix, as in `article:author`. `image`, `video` and `audio` are lists of structures with a `url`.
 */
type OpenGraph = {
  readonly [name: string]: string | readonly string[] | readonly PropertyValues[];
};

/** Reads the properties of Open Graph and of the vocabularies that its pages use or declare. */
function readOpenGraph(
  document: ParsedDocument,
  metas: readonly Node[],
  { base, budget }: MetadataContext,
): OpenGraph {
  const prefixes = new Set([...KNOWN_PREFIXES, ...declaredPrefixes(document, budget)]);
  const resolve = (content: string): string => absoluteUrl(content.trim(), base(), budget);
  const plain = new ValueCollector();
  const structures = new Map<string, ValueCollector[]>();
  for (const { name, content } of metaProperties(metas, budget)) {
    const [prefix, root = '', ...rest] = name.split(':');
    if (root === '' || !prefixes.has(prefix as string)) continue;
    const part = rest.join(':') || 'url';
    if (prefix !== 'og') plain.add(name, content);
    else if (!STRUCTURED.has(root)) {
      plain.add(name.slice('og:'.length), name === 'og:url' ? resolve(content) : content);
    } else {
      const structure = structureOf(structures, { root, part });
      structure.add(part, URL_PARTS.has(part) ? resolve(content) : content);
    }
  }
  const lists = [...structures].map(([root, list]) => [root, list.map((structure) => structure.toObject())]);
  return { ...plain.toObject(), ...Object.fromEntries(lists) };
}

/** Vocabularies of https://ogp.me, and the product vocabulary used by many shops. */
const KNOWN_PREFIXES = ['og', 'music', 'video', 'article', 'book', 'profile', 'product'];

/** Properties with parts, such as `og:image:width`. */
const STRUCTURED = new Set(['image', 'video', 'audio']);

const URL_PARTS = new Set(['url', 'secure_url']);

/** Returns the prefixes in the `prefix` attributes of <html> and <head>: "fb: https://ogp.me/ns/fb#". */
function declaredPrefixes({ elements }: ParsedDocument, budget: Budget): string[] {
  const holders = elements
    .slice(0, 2)
    .filter((element) => isHtmlElement(element, 'html') || isHtmlElement(element, 'head'));
  return holders.flatMap((holder) => {
    const declared = attributeOf(holder, 'prefix') ?? '';
    budget.spendReading(declared.length);
    const tokens = declared.trim().split(/\s+/);
    return tokens.filter((token) => token.endsWith(':')).map((token) => token.slice(0, -1));
  });
}

/** Returns the structure that a part belongs to: the last one, or a new one where the part begins one. */
function structureOf(
  structures: Map<string, ValueCollector[]>,
  { root, part }: { readonly root: string; readonly part: string },
): ValueCollector {
  const list = structures.get(root) ?? [];
  structures.set(root, list);
  const last = list.at(-1);
  if (last && !(part === 'url' && last.has('url'))) return last;
  const created = new ValueCollector();
  list.push(created);
  return created;
}

type LinkedFeed = {
  readonly url: string;
  readonly title: string | null;
  readonly type: string | null;
};

/** An icon of the page; `sizes` is as in HTML, such as "32x32 48x48". */
type LinkedIcon = {
  readonly url: string;
  readonly sizes: string | null;
  readonly type: string | null;
};

/** Resources that <link> elements relate to the page. */
interface RelatedResources {
  readonly canonical: string | null;
  readonly feeds: readonly LinkedFeed[];
  readonly icons: readonly LinkedIcon[];
}

/** Number of <link> elements that are read from one page. */
const MAX_LINKS = 10_000;

/** Reads the canonical URL, the feeds and the icons, with absolute URLs; links without a valid one are left out. */
function readRelated(links: readonly Node[], context: MetadataContext): RelatedResources {
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
