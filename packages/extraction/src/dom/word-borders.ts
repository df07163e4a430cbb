import { Namespace, type Node, NodeKind } from './node.ts';

/**
 * Elements shown by browsers on their own lines or in cells, and line breaks. HTML §15.3. The words before,
 * inside and after them are apart, as in `innerText`.
 */
const BLOCKS = new Set(
  `address article aside blockquote body br center caption dd details dialog dir div dl dt fieldset figcaption figure footer
  form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p plaintext pre
  search section summary table tbody td tfoot th thead tr ul xmp`.split(/\s+/),
);

/** SVG elements shown apart from each other, and descriptive ones, which are not shown. */
const SVG_TEXTS = new Set(['desc', 'text', 'title']);

const MATHML: string = Namespace.mathml;

/** Returns true for block elements of HTML, which include `br`. */
export function isHtmlBlock({ kind, name, namespace }: Node): boolean {
  return kind === NodeKind.element && namespace === Namespace.html && BLOCKS.has(name);
}

/** Returns true if words inside an element of HTML or SVG are apart from those around it. */
export function partsWordsByName(name: string, namespace: string): boolean {
  if (namespace === Namespace.html) return BLOCKS.has(name);
  return namespace === Namespace.svg && SVG_TEXTS.has(name);
}

/**
 * Returns true if words before the node are apart from the words inside it. Elements of unknown XML are apart
 * from the element before them, and joined with a text.
 */
export function partsWords({ kind, name, namespace, previous }: Node): boolean {
  if (kind !== NodeKind.element) return false;
  if (namespace === Namespace.html || namespace === Namespace.svg) return partsWordsByName(name, namespace);
  if (namespace === MATHML || previous === null) return false;
  return previous.kind !== NodeKind.text || previous.value.trim() === '';
}
