import { isAdmonition } from '../dom/admonition.ts';
import { attributeOf, Namespace, type Node } from '../dom/node.ts';
import { roleOf } from '../dom/role-of.ts';
import { isHtmlBlock } from '../dom/word-borders.ts';
import { isTexScript } from '../read/formula.ts';
import { AROUND, CREDIT, readNames } from './element-names.ts';

/** Elements whose content never belongs to an article. */
const NEVER_CONTENT = new Set(
  `script style template noscript nav aside footer form button select textarea input option iframe object embed
  dialog menu canvas audio map link meta`.split(/\s+/),
);

const FOREIGN_ROLES = new Set(
  'alert alertdialog banner complementary contentinfo dialog menu menubar navigation search tooltip'.split(
    ' ',
  ),
);

const POSITIVE = /article|body|content|entry|hentry|main|page|post|text|blog|story|prose/i;
/** Elements that hold paragraphs side by side with others; they count for their parent. */
const PARAGRAPHS = new Set('p pre blockquote li dd dt td th h2 h3 h4 h5 h6 figcaption'.split(' '));

/** Returns true for elements whose text is a paragraph of their parent. */
export function isParagraph({ name }: Node): boolean {
  return PARAGRAPHS.has(name);
}

/** Returns the class names and the id of an element, as one text. */
export function namesOf(element: Node): string {
  const { attributes } = element;
  if (attributes.length === 0) return '';
  return `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'id') ?? ''}`;
}

/** Returns true for an element that never belongs to an article, by its name, its role, or because it is hidden. */
export function isForeign(element: Node): boolean {
  const { name, namespace, attributes } = element;
  if (namespace === Namespace.html && NEVER_CONTENT.has(name))
    return !(name === 'aside' && isAdmonition(element)) && !isTexScript(element) && !isTaskBox(element);
  if (attributes.length === 0) return false;
  const role = roleOf(element);
  if (FOREIGN_ROLES.has(role) && (role !== 'alert' || !isAdmonition(element))) return true;
  return isHidden(element);
}

/** Returns true for the box of a task in a list, which no one can check. */
function isTaskBox(element: Node): boolean {
  const isCheckbox = element.name === 'input' && attributeOf(element, 'type') === 'checkbox';
  return isCheckbox && attributeOf(element, 'disabled') !== undefined;
}

function isHidden(element: Node): boolean {
  for (const { name, value } of element.attributes) {
    // All tabs but one are hidden.
    if (name === 'hidden') return roleOf(element) !== 'tabpanel';
    if (name === 'aria-hidden' && value === 'true' && !/fallback-image/.test(namesOf(element))) return true;
    if (
      name === 'style' &&
      /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i.test(value.slice(0, 500))
    )
      return true;
  }
  return false;
}

/** Amount that is left out before articles are looked for: a lenient reading ignores the names of classes. */
export type Strictness = 'strict' | 'lenient';

/** Elements with telling names; a paragraph, a heading or a word in a sentence is content under any name. */
export function isBox(element: Node): boolean {
  const { name } = element;
  if (name === 'body' || name === 'html' || name === 'article' || name === 'main') return false;
  return isHtmlBlock(element) && !isParagraph(element);
}

/** Returns how much the names of an element speak for content. */
export function weightOf(element: Node, strictness: Strictness): number {
  if (strictness === 'lenient' || element.attributes.length === 0) return 0;
  const names = namesOf(element).slice(0, 500);
  return (POSITIVE.test(names) ? 25 : 0) - (readNames(element, true) & (AROUND | CREDIT) ? 25 : 0);
}
