import { cutText } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import type { JsonValue } from '../json/visit-json.ts';
import { collapse } from '../read/text-of.ts';

/** Facts of an article in JSON-LD; null where it has none. */
export interface ArticleItem {
  readonly headline: string | null;
  readonly name: string | null;
  readonly authors: string | null;
  readonly publishedAt: string | null;
}

type JsonObject = { readonly [name: string]: JsonValue };

const ARTICLE_TYPES = /Article$|(?:^|[/:])(?:BlogPosting|Report|LiveBlogPosting)$/;
const MAX_ITEMS = 1000;
const MAX_AUTHORS = 10;
const MAX_TEXT_CHARS = 500;

/** Reads the first item that is an article, at the top or in a `@graph`; undefined without one. */
export function readArticleItem(items: readonly JsonValue[], budget: Budget): ArticleItem | undefined {
  const all = items.flatMap((item) => {
    const graph = isObject(item) ? item['@graph'] : undefined;
    return Array.isArray(graph) ? [item, ...graph.slice(0, MAX_ITEMS)] : [item];
  });
  budget.spend(all.length);
  const found = all.filter(isObject).find((item) => listOf(item['@type']).some(isArticleType));
  if (found === undefined) return undefined;
  return {
    headline: textIn(found.headline),
    name: textIn(found.name),
    authors: namesIn(found.author ?? found.creator, all, budget),
    publishedAt: textIn(found.datePublished),
  };
}

function isArticleType(type: JsonValue): boolean {
  return typeof type === 'string' && ARTICLE_TYPES.test(type.slice(-MAX_TEXT_CHARS));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.slice(0, MAX_AUTHORS) : [value];
}

/** Returns a text, or that of a value object (JSON-LD 1.1 §9.5), the first one of a list. */
function textIn(value: JsonValue | undefined): string | null {
  const [first] = listOf(value);
  const text = isObject(first) ? first['@value'] : first;
  return typeof text === 'string' ? shorten(text) || null : null;
}

/** Returns the names of authors: texts, objects with a name, and references to nodes that have one. */
function namesIn(value: JsonValue | undefined, items: readonly JsonValue[], budget: Budget): string | null {
  const authors = listOf(value).flatMap((author) =>
    isObject(author) && Array.isArray(author['@list']) ? listOf(author['@list']) : [author],
  );
  let named: ReadonlyMap<string, string> | undefined;
  const names = authors.flatMap((author) => {
    const own = textIn(isObject(author) ? (author.name ?? undefined) : author);
    if (own !== null && !isIdentifier(own)) return [own];
    const id = isObject(author) ? author['@id'] : author;
    if (typeof id !== 'string') return [];
    named ??= nameNodes(items, budget);
    return named.get(id) ?? [];
  });
  return names.length > 0 ? shorten([...new Set(names)].join(', ')) : null;
}

function isIdentifier(text: string): boolean {
  return /^(?:https?:|[#_/])/i.test(text);
}

/** Returns the names of the nodes that have an identifier, wherever they are: a reference stands for the whole node (JSON-LD 1.1 §3.3). */
function nameNodes(items: readonly JsonValue[], budget: Budget): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const values: JsonValue[] = [...items];
  for (
    let next = values.pop(), seen = 0;
    next !== undefined && seen < MAX_NODES;
    next = values.pop(), seen++
  ) {
    budget.spend(1);
    if (Array.isArray(next)) values.push(...next.slice(0, MAX_ITEMS));
    if (!isObject(next)) continue;
    const id = next['@id'];
    const name = typeof id === 'string' && !names.has(id) ? textIn(next.name) : null;
    if (name !== null) names.set(id as string, name);
    for (const key in next) {
      const inner = next[key];
      if (typeof inner === 'object' && inner !== null) values.push(inner);
    }
  }
  return names;
}

const MAX_NODES = 20_000;

function shorten(text: string): string {
  return cutText(collapse(text.slice(0, 4 * MAX_TEXT_CHARS)), MAX_TEXT_CHARS);
}
