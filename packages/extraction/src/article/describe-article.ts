import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { collectSources } from '../formats/metadata/collect-sources.ts';
import { contentOf, metaProperties } from '../formats/metadata/meta-properties.ts';
import { readJsonLd } from '../formats/metadata/read-json-ld.ts';
import type { JsonValue } from '../json/json-value.ts';
import { pageNames } from '../values/page-names.ts';
import { collapse, textOf } from '../values/text-of.ts';
import { namesOf } from './element-roles.ts';
import type { ArticleContent } from './find-article-content.ts';

/** Facts about an article besides its text; null where the page does not give them. */
export interface ArticleFacts {
  readonly title: string | null;
  readonly byline: string | null;
  readonly publishedAt: string | null;
  readonly excerpt: string | null;
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
    if (!properties.has(name)) properties.set(name, cut(value));
  }
  const names = pageNames(document, budget);
  const byElement = readElements(document, content, budget);
  const headline = textIn(item?.headline) ?? textIn(item?.name);
  return {
    title:
      headline ?? findTitle(names.title, byElement.headings) ?? properties.get('og:title') ?? names.title,
    byline:
      namesIn(item?.author) ??
      contentOf(metas, 'author') ??
      notUrl(properties.get('article:author')) ??
      byElement.byline,
    publishedAt:
      isoDate(textIn(item?.datePublished)) ??
      isoDate(properties.get('article:published_time')) ??
      isoDate(properties.get('datePublished') ?? properties.get('date')) ??
      byElement.publishedAt,
    excerpt: names.description === null ? null : cut(names.description) || null,
  };
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
  return typeof value === 'string' ? cut(value) || null : null;
}

/** Returns the names of authors: texts, or objects with a name, alone or in a list. */
function namesIn(value: JsonValue | undefined): string | null {
  const authors = Array.isArray(value) ? value.slice(0, 10) : [value];
  const names = authors.flatMap((author) => textIn(isObject(author) ? author.name : author) ?? []);
  return names.length > 0 ? cut([...new Set(names)].join(', ')) : null;
}

function notUrl(text: string | undefined): string | null {
  return text && !/^https?:/i.test(text) ? text : null;
}

/** Date or time of ISO 8601 as schema.org uses it. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function isoDate(text: string | null | undefined): string | null {
  const given = text?.trim() ?? '';
  return ISO_DATE.test(given) && !Number.isNaN(Date.parse(given.slice(0, 10))) ? given : null;
}

interface ElementFacts {
  /** Texts of the first h1 and h2 elements. */
  readonly headings: readonly string[];
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
  const headings: string[] = [];
  let [byline, publishedAt]: (string | null)[] = [null, null];
  budget.spend(elements.length);
  for (const element of elements) {
    if (element.order >= end && headings.length > 0 && byline !== null) break;
    if (headings.length < MAX_HEADINGS && (isHtmlElement(element, 'h1') || isHtmlElement(element, 'h2'))) {
      const heading = cut(textOf(element, budget));
      if (heading !== '') headings.push(heading);
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

function bylineOf(element: Node, budget: Budget): string | null {
  const text = textOf(element, budget).replace(/^by:?\s/i, '');
  return text !== '' && text.length <= MAX_BYLINE_CHARS ? text : null;
}

function dateOf(element: Node): string | null {
  const property = attributeOf(element, 'itemprop') ?? '';
  if (property.includes('datePublished')) {
    return isoDate(attributeOf(element, 'content') ?? attributeOf(element, 'datetime'));
  }
  const isTime = isHtmlElement(element, 'time') && !property.includes('dateModified');
  return isTime ? isoDate(attributeOf(element, 'datetime')) : null;
}

/** Returns the heading that the title of the page begins or ends with, else the title without the name of the site. */
function findTitle(title: string | null, headings: readonly string[]): string | null {
  if (title === null) return headings[0] ?? null;
  const heading = headings.find((text) => title.startsWith(text) || title.endsWith(text));
  if (heading) return heading;
  const [first = title, ...rest] = title.split(/\s[|–—»·-]\s/);
  // Sites put their name last, but some put it first, which is then the shortest part.
  const longest = rest.reduce((one, other) => (other.length > one.length ? other : one), '');
  return cut(first.split(' ').length > 2 || longest === '' ? first : longest);
}

function cut(text: string): string {
  return collapse(text.slice(0, 4 * MAX_TEXT_CHARS)).slice(0, MAX_TEXT_CHARS);
}
