import { attributeOf, type Node, NodeKind } from '../../src/dom/node.ts';
import { parseDocument } from '../../src/dom/parse-document.ts';

/** Elements that mean the same in markdown. */
const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em' };

/** Elements that are shown without content. */
const CONTENTLESS = new Set(['br', 'hr', 'img', 'tr', 'td', 'th']);

/** Elements that markdown has; others count as their content. */
const KNOWN = new Set([
  ...['a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'img', 'input'],
  ...['li', 'ol', 'p', 'pre', 'strong', 'sub', 'sup', 'table', 'td', 'th', 'tr', 'ul'],
]);

const BLOCK_EDGE = / *(<\/?(?:blockquote|br|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul)\b[^>]*>) */g;

/**
 * Describes the HTML of a page without what markdown leaves open: white space, elements without content, an emphasis in an
 * emphasis, paragraphs that are all of an item, and the spelling of URLs.
 */
export function describeHtml(html: string, baseUrl: string): string {
  const body = parseDocument(html).elements.find(({ name }) => name === 'body') as Node;
  return describeChildren(body, { baseUrl, around: [] }).replace(BLOCK_EDGE, '$1').trim();
}

interface Description {
  readonly baseUrl: string;
  /** Names of the elements around. */
  readonly around: readonly string[];
}

function describeChildren(node: Node, description: Description): string {
  let text = '';
  for (let child = node.first; child !== null; child = child.next) text += describeNode(child, description);
  return text;
}

function describeNode(node: Node, { baseUrl, around }: Description): string {
  if (node.kind === NodeKind.text) {
    return around.includes('pre') ? node.value : node.value.replace(/\s+/g, ' ');
  }
  if (node.kind !== NodeKind.element) return '';
  const name = SAME[node.name] ?? node.name;
  const inner = describeChildren(node, { baseUrl, around: [...around, name] });
  const isRepeated = (name === 'em' || name === 'strong') && around.includes(name);
  const isWhole = name === 'p' && around.at(-1) === 'li';
  if (!KNOWN.has(name) || isRepeated || isWhole) return inner;
  if (inner.trim() === '' && !CONTENTLESS.has(name)) return inner === '' ? '' : ' ';
  const content = name === 'code' ? inner.trim() : inner;
  return `<${name}${attributesOf(node, baseUrl)}>${content}</${name}>`;
}

function attributesOf(element: Node, baseUrl: string): string {
  const url = attributeOf(element, 'href') ?? attributeOf(element, 'src');
  const rest = ['alt', 'title', 'start', 'align', 'class'].map((name) =>
    (attributeOf(element, name) ?? '').replace(/\s+/g, ' ').trim(),
  );
  return [url === undefined ? '' : (URL.parse(url, baseUrl)?.href ?? url), ...rest]
    .map((value) => ` "${value.replace(/[<>]/g, encodeURIComponent)}"`)
    .join('');
}
