import { cutText } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import { convertDatetimes } from '../convert/dates/convert-dates.ts';
import { isHeadingTool } from '../dom/heading-tools.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextInside } from '../dom/node.ts';
import { languageOf, type ParsedDocument } from '../dom/parse-document.ts';
import { collectSources } from '../formats/metadata/collect-sources.ts';
import { contentOf, metaProperties, readJsonLd } from '../formats/metadata/meta-properties.ts';
import type { JsonValue } from '../json/visit-json.ts';
import { pageNames } from '../read/page-names.ts';
import { collapse, isUnseen, textOf } from '../read/text-of.ts';
import { namesOf } from './element-roles.ts';
import type { ArticleContent } from './find-article-content.ts';

/** Facts about an article besides its text; null where the page does not give them. */
export interface ArticleFacts {
  readonly title: string | null;
  readonly byline: string | null;
  readonly publishedAt: string | null;
  readonly excerpt: string | null;
  /** The h1 of the article, if it is outside of the content. */
  readonly heading: Node | null;
}

const MAX_TEXT_CHARS = 500;
const MAX_BYLINE_CHARS = 120;

/** Reads the facts that a page gives about its article: from JSON-LD, else from <meta>, else from its elements. */
export function describeArticle(
  document: ParsedDocument,
  content: ArticleContent,
  budget: Budget,
): ArticleFacts {
  const { metas, scripts } = collectSources(document, budget);
  const item = findArticleItem(readJsonLd(scripts, budget), budget);
  const properties = new Map<string, string>();
  for (const { name, content: value } of metaProperties(metas, budget)) {
    if (!properties.has(name)) properties.set(name, shorten(value));
  }
  const names = pageNames(document, budget);
  const byElement = readElements(document, content, budget);
  const title = findTitle({
    headings: byElement.headings.map(({ text }) => text),
    title: names.title,
    stated: [textIn(item?.headline), properties.get('og:title') ?? null, textIn(item?.name)],
    site: properties.get('og:site_name') ?? null,
  });
  const dates = [
    textIn(item?.datePublished),
    properties.get('article:published_time'),
    properties.get('datePublished') ?? properties.get('date'),
    byElement.publishedAt,
  ];
  return {
    title,
    byline:
      namesIn(item?.author) ??
      contentOf(metas, 'author') ??
      notUrl(properties.get('article:author')) ??
      byElement.byline,
    publishedAt: firstTime(dates, document, budget),
    excerpt: names.description === null ? null : plain(names.description) || null,
    heading: findHeading(byElement.headings, title, content, document),
  };
}

/** Returns a text without the tags that some pages leave in their description. */
function plain(text: string): string {
  return shorten(text.replace(/<\/?[a-z][^<>]{0,200}>/gi, ' '));
}

function findHeading(
  headings: readonly Heading[],
  title: string | null,
  { roots }: ArticleContent,
  { ends }: ParsedDocument,
): Node | null {
  const start = roots[0]?.order ?? 0;
  const found = headings.find(({ element, text }) => element.name === 'h1' && text === title)?.element;
  return found !== undefined && found.order < start && (ends[found.order] as number) <= start ? found : null;
}

type JsonObject = { readonly [name: string]: JsonValue };

const ARTICLE_TYPES = /Article$|^BlogPosting$|^Report$|^LiveBlogPosting$/;
const MAX_ITEMS = 1000;

/** Returns the first item of JSON-LD that is an article, at the top or in a `@graph`. */
function findArticleItem(items: readonly JsonValue[], budget: Budget): JsonObject | undefined {
  const all = items.flatMap((item) => {
    const graph = isObject(item) ? item['@graph'] : undefined;
    return Array.isArray(graph) ? [item, ...graph.slice(0, MAX_ITEMS)] : [item];
  });
  budget.spend(all.length);
  return all.filter(isObject).find((item) => {
    const types = Array.isArray(item['@type']) ? item['@type'].slice(0, 10) : [item['@type']];
    return types.some((type) => typeof type === 'string' && ARTICLE_TYPES.test(type));
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textIn(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? shorten(value) || null : null;
}

/** Returns the names of authors: texts, or objects with a name, alone or in a list. */
function namesIn(value: JsonValue | undefined): string | null {
  const authors = Array.isArray(value) ? value.slice(0, 10) : [value];
  const names = authors.flatMap((author) => textIn(isObject(author) ? author.name : author) ?? []);
  return names.length > 0 ? shorten([...new Set(names)].join(', ')) : null;
}

function notUrl(text: string | undefined): string | null {
  return text && !/^https?:/i.test(text) ? text : null;
}

/** Times have no URLs. */
const NO_BASE = { href: '', encoding: 'utf-8' };

/** Returns the first text that is a time with certainty, in UTC. */
function firstTime(
  texts: readonly (string | null | undefined)[],
  document: ParsedDocument,
  budget: Budget,
): string | null {
  const context = { language: () => languageOf(document), base: () => NO_BASE, budget };
  for (const text of texts) {
    if (!text) continue;
    const [time] = convertDatetimes([text], { timezone: 'UTC' }, context);
    if (time && 'value' in time && time.ambiguity === undefined)
      return String(time.value).replace('+00:00', 'Z');
  }
  return null;
}

interface Heading {
  readonly element: Node;
  readonly text: string;
}

interface ElementFacts {
  /** The first h1 and h2 elements. */
  readonly headings: readonly Heading[];
  readonly byline: string | null;
  readonly publishedAt: string | null;
}

const MAX_HEADINGS = 5;

/** Reads headings, the author and the date from elements that name them, up to the end of the article. */
function readElements(
  { elements, ends }: ParsedDocument,
  { roots }: ArticleContent,
  budget: Budget,
): ElementFacts {
  const end = ends[roots.at(-1)?.order ?? 0] ?? 0;
  const headings: Heading[] = [];
  let [byline, publishedAt]: (string | null)[] = [null, null];
  budget.spend(elements.length);
  for (const element of elements) {
    if (element.order >= end && headings.length > 0 && byline !== null) break;
    if (headings.length < MAX_HEADINGS && (isHtmlElement(element, 'h1') || isHtmlElement(element, 'h2'))) {
      const text = shorten(textOf(element, budget, (node) => isUnseen(node) || isHeadingTool(node)));
      if (text !== '') headings.push({ element, text });
    }
    if (element.attributes.length === 0) continue;
    if (byline === null && isByline(element)) byline = bylineOf(element, budget);
    if (publishedAt === null) publishedAt = dateOf(element);
  }
  return { headings, byline: byline ?? null, publishedAt: publishedAt ?? null };
}

function isByline(element: Node): boolean {
  return (
    attributeOf(element, 'rel') === 'author' ||
    (attributeOf(element, 'itemprop') ?? '').includes('author') ||
    /byline|(?:^|[\s_-])author(?:$|[\s_-])/i.test(namesOf(element).slice(0, 500))
  );
}

/** Elements that hold nothing but a name inside a byline. */
const NAME = /(?:^|[\s_-])(?:fn|name|(?:author|byline)[_-]{0,2}(?:name|link))(?:$|\s)/i;
/** A date, a number of comments, or a separator behind a name. */
const AFTER_NAME =
  /[|·•—–]|\s-\s|\b(?:on\s)?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,9}\.?\s\d|\b\d/i;

/** Returns the names in a byline: those that elements inside it mark, else its links, else its text up to a date. */
function bylineOf(element: Node, budget: Budget): string | null {
  const given = attributeOf(element, 'content');
  if (given !== undefined) return notUrl(shorten(given)) || null;
  const names = new Set<string>();
  const links = new Set<string>();
  for (let node: Node | null = element; node !== null; node = nextInside(element, node)) {
    budget.spend(1);
    if (node.kind !== NodeKind.element || node.attributes.length === 0) continue;
    const isName = node !== element && isInnerName(node);
    if (!isName && !isHtmlElement(node, 'a')) continue;
    const name = nameIn(textOf(node, budget));
    if (name !== '') (isName ? names : links).add(name);
    if (names.size + links.size >= MAX_NAMES) break;
  }
  const whole = textOf(element, budget);
  // Links in more than a line of text lead anywhere.
  const found = names.size > 0 ? names : new Set(whole.length <= MAX_BYLINE_CHARS ? links : []);
  const text = found.size > 0 ? [...found].join(', ') : nameIn(whole);
  return /^[^:]+$/.test(text) && text.length <= MAX_BYLINE_CHARS ? text : null;
}

const MAX_NAMES = 5;

function isInnerName(element: Node): boolean {
  const property = attributeOf(element, 'itemprop') ?? '';
  return (
    attributeOf(element, 'rel') === 'author' ||
    property === 'name' ||
    NAME.test(namesOf(element).slice(0, 200))
  );
}

function nameIn(text: string): string {
  const words = cutText(text, MAX_TEXT_CHARS).replace(/^(?:(?:written|posted|published)\s)?by:?\s/i, '');
  const [name = ''] = words.split(AFTER_NAME, 1);
  return name.replace(/[\s,;]{1,9}$/, '');
}

function dateOf(element: Node): string | null {
  const property = attributeOf(element, 'itemprop') ?? '';
  if (property.includes('datePublished')) {
    return attributeOf(element, 'content') ?? attributeOf(element, 'datetime') ?? null;
  }
  const isTime = isHtmlElement(element, 'time') && !property.includes('dateModified');
  return isTime ? (attributeOf(element, 'datetime') ?? null) : null;
}

/** Texts of a page that may be the title of its article. */
interface Titles {
  readonly headings: readonly string[];
  /** Text of `title`, in which the name of the site may come first or last. */
  readonly title: string | null;
  /** Titles that the metadata states. */
  readonly stated: readonly (string | null)[];
  readonly site: string | null;
}

const SEPARATOR = /\s[|–—»·-]\s/;

/** Returns the text on which most of the heading, the title and the metadata agree, at least two of them; else the best one. */
function findTitle({ headings, title, stated, site }: Titles): string | null {
  const parts = title?.split(SEPARATOR) ?? [];
  const texts = [...headings, ...stated, ...parts, title].filter(
    (text) => text !== null && text !== '',
  ) as string[];
  const known = texts.filter((text) => comparable(text) !== comparable(site ?? ''));
  const trimmed = titleWithoutSite(title);
  const rankOf = (text: string): number => {
    const isHeading = headings.some((heading) => comparable(heading) === comparable(text));
    const agreeing = stated.filter((other) => other !== null && isSame(other, text)).length;
    const votes = agreeing + (isHeading ? 1 : 0) + (title !== null && isAtEdge(title, text) ? 1 : 0);
    // Of texts with as many votes, the title without the name of the site comes first, then a heading.
    return votes < 2 ? 0 : votes + (text === trimmed ? 0.5 : 0) + (isHeading ? 0.25 : 0);
  };
  let [best, highest]: [string | null, number] = [trimmed ?? known[0] ?? null, 0];
  for (const text of known) {
    const rank = rankOf(text);
    if (rank > highest) [best, highest] = [text, rank];
  }
  return best === null ? null : shorten(best) || null;
}

function comparable(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns true if a text is the same, or has the name of the site besides. */
function isSame(other: string, text: string): boolean {
  return (
    comparable(other) === comparable(text) ||
    other.split(SEPARATOR).some((part) => comparable(part) === comparable(text))
  );
}

function isAtEdge(title: string, text: string): boolean {
  const [whole, part] = [comparable(title), comparable(text)];
  return part !== '' && (whole === part || whole.startsWith(`${part} `) || whole.endsWith(` ${part}`));
}

/** Sites put their name last, but some put it first, which is then the shortest part. */
function titleWithoutSite(title: string | null): string | null {
  if (title === null) return null;
  const [first = title, ...rest] = title.split(SEPARATOR);
  const longest = rest.reduce((one, other) => (other.length > one.length ? other : one), '');
  return first.split(' ').length > 2 || longest === '' ? first : longest;
}

function shorten(text: string): string {
  return cutText(collapse(text.slice(0, 4 * MAX_TEXT_CHARS)), MAX_TEXT_CHARS);
}
