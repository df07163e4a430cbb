import { cutText } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import { convertDatetimes } from '../convert/dates/convert-dates.ts';
import { isHeadingTool } from '../dom/heading-tools.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextInside } from '../dom/node.ts';
import { languageOf, type ParsedDocument } from '../dom/parse-document.ts';
import { roleOf } from '../dom/role-of.ts';
import { collectSources } from '../formats/metadata/collect-sources.ts';
import { contentOf, metaProperties, readJsonLd } from '../formats/metadata/meta-properties.ts';
import { pageNames } from '../read/page-names.ts';
import { collapse, isUnseen, textOf } from '../read/text-of.ts';
import { readArticleItem } from './article-item.ts';
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
  const item = readArticleItem(readJsonLd(scripts, budget), budget);
  const properties = readProperties(metas, budget);
  const names = pageNames(document, budget);
  const byElement = readElements(document, content, budget);
  const title = findTitle({
    headings: byElement.headings.map(({ text }) => text),
    title: names.title,
    stated: [item?.headline ?? null, ...valuesOf(properties, TITLES), item?.name ?? null],
    site: valuesOf(properties, ['og:site_name'])[0] ?? null,
  });
  const dates = [item?.publishedAt, ...valuesOf(properties, DATES), byElement.publishedAt];
  const authors = AUTHORS.map((name) => properties.get(name)?.flatMap((text) => notUrl(text) ?? []));
  return {
    title,
    byline:
      item?.authors ??
      contentOf(metas, 'author') ??
      listNames(authors.find((names) => names !== undefined && names.length > 0)) ??
      byElement.byline,
    publishedAt: firstTime(dates, document, budget),
    excerpt: names.description === null ? null : plain(names.description) || null,
    heading: findHeading(byElement.headings, title, content, document),
  };
}

/** Names of <meta> in lower case that give the title, the authors and the date of publication, the best first. */
const TITLES = ['og:title', 'citation_title', 'parsely-title', 'sailthru.title', 'dcterms.title', 'dc.title'];
const AUTHORS =
  `article:author citation_author citation_authors parsely-author sailthru.author dcterms.creator dc.creator
  dc.creator.personalname byl`.split(/\s+/);
const DATES =
  `article:published_time datepublished date citation_publication_date citation_online_date citation_date
  parsely-pub-date sailthru.date dcterms.issued dc.date.issued dcterms.created dc.date.created dcterms.date dc.date prism.publicationdate
  og:article:published_time og:published_time article:published pubdate publishdate publish-date publish_date
  publication_date publication-date published_time cxenseparse:recs:publishtime bt:pubdate`.split(/\s+/);

type Properties = ReadonlyMap<string, readonly string[]>;

/** Returns the values of <meta> by their names in lower case: a page may give one author in each. */
function readProperties(metas: readonly Node[], budget: Budget): Properties {
  const properties = new Map<string, string[]>();
  for (const { name, content } of metaProperties(metas, budget)) {
    const key = name.toLowerCase();
    const values = properties.get(key);
    if (values === undefined) properties.set(key, [shorten(content)]);
    else if (values.length < MAX_NAMES) values.push(shorten(content));
  }
  return properties;
}

/** Returns the first value of each property. */
function valuesOf(properties: Properties, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => properties.get(name)?.[0] ?? []);
}

function listNames(names: readonly string[] | undefined): string | null {
  return names === undefined ? null : shorten([...new Set(names)].join(', '));
}

/** Returns a text without the tags that some pages leave in their description. */
function plain(text: string): string {
  return shorten(text.replace(/<\/?[a-z][^<>]{0,200}>/gi, ' '));
}

function findHeading(
  headings: readonly Heading[],
  title: string | null,
  { roots }: ArticleContent,
  document: ParsedDocument,
): Node | null {
  const start = roots[0]?.order ?? 0;
  const before = headings.filter(
    ({ element: { name, order } }) => name === 'h1' && (document.ends[order] as number) <= start,
  );
  const titled = before.find(({ text }) => text === title);
  const nearest = before.findLast(({ element }) => sharesSection(element, start, document));
  return (titled ?? nearest)?.element ?? null;
}

/** Returns true if the article or main element around a heading holds the content too. */
function sharesSection(heading: Node, start: number, { ends }: ParsedDocument): boolean {
  for (let node = heading.parent; node !== null; node = node.parent) {
    if (node.order < 0) return false;
    if (node.name === 'article' || node.name === 'main') return (ends[node.order] as number) > start;
  }
  return false;
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

/** Returns the names in a byline: from marked elements inside it, else from its links, else from its text up to a date. */
function bylineOf(element: Node, budget: Budget): string | null {
  const given = attributeOf(element, 'content');
  if (given !== undefined) return notUrl(shorten(given)) || null;
  const names = new Set<string>();
  const links = new Set<string>();
  for (let node: Node | null = element; node !== null; node = nextInside(element, node)) {
    budget.spend(1);
    if (node.kind !== NodeKind.element || node.attributes.length === 0) continue;
    if (isHtmlElement(node, 'button') || roleOf(node) === 'button') continue;
    const isName = node !== element && isInnerName(node);
    if (!isName && !isHtmlElement(node, 'a')) continue;
    const name = nameIn(textOf(node, budget));
    if (name !== '') (isName ? names : links).add(name);
    if (names.size + links.size >= MAX_NAMES) break;
  }
  const whole = textOf(element, budget, (node) => isUnseen(node) || isHtmlElement(node, 'button'));
  // Links in more than a line of text lead anywhere.
  const found = names.size > 0 ? names : new Set(whole.length <= MAX_BYLINE_CHARS ? links : []);
  const text = found.size > 0 ? [...found].join(', ') : nameIn(whole);
  return text !== '' && !text.includes(':') && text.length <= MAX_BYLINE_CHARS ? text : null;
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

/** Texts of links beside an author's name. */
const INVITATION =
  /^(?:un)?follow(?:ing)?(?:\s|$)|^(?:about|all|contact|e-?mail|meet|more|read|see|share|subscribe|view|visit)\s(?:all|about|articles?|author|by|from|full|more|my|other|posts?|profile|stories|the|this|to|us)\b/i;

function nameIn(text: string): string {
  const words = cutText(text, MAX_TEXT_CHARS).replace(/^(?:(?:written|posted|published)\s)?by:?\s/i, '');
  const [name = ''] = words.split(AFTER_NAME, 1);
  return INVITATION.test(name) ? '' : name.replace(/[\s,;]{1,9}$/, '');
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
