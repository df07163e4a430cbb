import type { Budget } from '../../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { absoluteUrl } from '../../read/attribute-value.ts';
import type { MetadataContext } from './collect-sources.ts';
import { metaProperties, type PropertyValues, ValueCollector } from './meta-properties.ts';

/**
 * Properties of the Open Graph protocol (https://ogp.me) by their names without `og:`; those of other vocabularies keep
 * their prefix, as in `article:author`. `image`, `video` and `audio` are lists of structures with a `url`.
 */
export type OpenGraph = {
  readonly [name: string]: string | readonly string[] | readonly PropertyValues[];
};

/** Reads the properties of Open Graph and of the vocabularies that its pages use or declare. */
export function readOpenGraph(
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

/** Vocabularies of https://ogp.me, and that of products, which many shops use. */
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
