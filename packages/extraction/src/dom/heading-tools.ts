import { attributeOf, isHtmlElement, Namespace, type Node, NodeKind } from './node.ts';

/** Texts of links from a heading to itself. */
const SIGNS = /^(?:[¶#§∞]|\u{1f517}\ufe0f?)?$/u;
const NAMES = /^(?:perma(?:nent )?link|(?:direct )?link) to (?:this|the) [\p{L} ]{1,40}$|^permalink$/iu;
const CLASSES =
  /(?:^|[\s_-])(?:permalink|headerlink|header-?anchor|heading-?anchor|hash-?link|anchor-?link|anchorjs-link)(?:$|\s)/i;
const MAX_CHARS = 60;

/** Returns true for what pages add to headings for their readers' tools: a link to the heading itself, and a link to edit it. */
export function isHeadingTool(node: Node): boolean {
  if (node.kind !== NodeKind.element || node.namespace !== Namespace.html || node.attributes.length === 0)
    return false;
  if (node.name === 'span') return /(?:^|\s)mw-editsection(?:$|\s)/.test(classesOf(node));
  if (node.name !== 'a' || !(attributeOf(node, 'href') ?? '').includes('#')) return false;
  const text = shortTextOf(node);
  if (text === undefined || (text === '' && node.first !== null && holdsPicture(node))) return false;
  if (NAMES.test(text)) return true;
  return SIGNS.test(text) && (text === '¶' || isNamed(node) || isInHeading(node));
}

function classesOf(element: Node): string {
  return (attributeOf(element, 'class') ?? '').slice(0, 500);
}

function isNamed(link: Node): boolean {
  const label = attributeOf(link, 'aria-label') ?? attributeOf(link, 'title') ?? '';
  return CLASSES.test(classesOf(link)) || /\b(?:perma)?link\b/i.test(label.slice(0, 200));
}

function isInHeading({ parent }: Node): boolean {
  return parent !== null && /^h[1-6]$/.test(parent.name);
}

/** Returns the text of an element that holds texts, or one element around them; undefined for others and longer ones. */
function shortTextOf(element: Node): string | undefined {
  let text = '';
  for (let child = element.first; child !== null; child = child.next) {
    const inner = child.kind === NodeKind.element ? child.first : child;
    if (inner === null) continue;
    if (inner.kind !== NodeKind.text || (inner !== child && inner.next !== null)) return undefined;
    text += inner.value;
    if (text.length > MAX_CHARS) return undefined;
  }
  return text.replace(ZERO_WIDTH, '').trim();
}

const ZERO_WIDTH = /[\u200b\u2060\ufeff]/g;

function holdsPicture({ first, last }: Node): boolean {
  return [first, last].some((node) => node !== null && isHtmlElement(node, 'img'));
}
