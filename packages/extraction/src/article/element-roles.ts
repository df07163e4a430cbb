import { attributeOf, Namespace, type Node } from '../dom/node.ts';

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

/** Parts of class names and ids that name what surrounds an article. */
const SURROUNDINGS =
  /comment|disqus|community|sidebar|side-bar|social|share|sharing|related|recommend|recirc|promo|newsletter|subscri|signup|sign-up|cookie|consent|gdpr|breadcrumb|pagination|pager|popup|modal|overlay|sponsor|advert|outbrain|taboola|masthead|menu|navbar|nav-|-nav|toolbar|widget|skip|remark|replies|shoutbox|byline-|banner|combx|foot|legends|agegate|supplemental|trending|most-read|mostread|popular|more-stories|read-more|readmore|tags|author-bio|hidden|print-only|noprint/i;
const AD = /(?:^|[\s_-])(?:ad|ads|adbox|adunit|adslot|adsense|dfp|gpt)(?:$|[\s_-])/i;
/** Parts that name an article or its container; they outweigh the names of surroundings. */
const CONTENT = /article|body|content|entry|main|column|story|post|text|blog|hentry|page/i;

const POSITIVE = /article|body|content|entry|hentry|main|page|post|text|blog|story|prose/i;
const NEGATIVE =
  /hidden|banner|combx|comment|com-|contact|foot|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|tool|widget|caption|credit/i;

/** Elements that hold paragraphs side by side with others, so that their parent is what they speak for. */
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
  if (namespace === Namespace.html && NEVER_CONTENT.has(name)) return true;
  if (attributes.length === 0) return false;
  if (FOREIGN_ROLES.has(attributeOf(element, 'role') ?? '')) return true;
  return isHidden(element);
}

function isHidden(element: Node): boolean {
  for (const { name, value } of element.attributes) {
    if (name === 'hidden') return true;
    if (name === 'aria-hidden' && value === 'true' && !/fallback-image/.test(namesOf(element))) return true;
    if (
      name === 'style' &&
      /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i.test(value.slice(0, 500))
    )
      return true;
  }
  return false;
}

/** Returns true for an element whose names say that it surrounds an article. */
export function isSurrounding(element: Node): boolean {
  if (
    element.name === 'body' ||
    element.name === 'html' ||
    element.name === 'article' ||
    element.name === 'a'
  )
    return false;
  const names = namesOf(element).slice(0, 500);
  if (names.length < 3) return false;
  if (AD.test(names)) return true;
  return SURROUNDINGS.test(names) && !CONTENT.test(names);
}

/** Amount that is left out before articles are looked for: a lenient reading ignores the names of classes. */
export type Strictness = 'strict' | 'lenient';

/** Returns how much the names of an element speak for content: 25, 0 or -25 for each of class and id. */
export function weightOf(element: Node, strictness: Strictness): number {
  if (strictness === 'lenient') return 0;
  let weight = 0;
  for (const attribute of ['class', 'id']) {
    const value = attributeOf(element, attribute)?.slice(0, 500);
    if (!value) continue;
    if (NEGATIVE.test(value)) weight -= 25;
    if (POSITIVE.test(value)) weight += 25;
  }
  return weight;
}
