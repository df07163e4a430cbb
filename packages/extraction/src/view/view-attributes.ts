import type { Token } from 'parse5';
import { Namespace, type Node } from '../dom/node.ts';
import { type BaseUrl, resolveUrl } from '../dom/parse-url.ts';

/**
 * Returns the attributes that a view keeps of an element: those that change how it looks. None of them runs, loads, submits or
 * focuses anything, or has a name that belongs to the view. Addresses of links are absolute.
 */
export function viewAttributes(element: Node, base: BaseUrl): Token.Attribute[] {
  const isHtml = element.namespace === Namespace.html;
  return element.attributes.flatMap((attribute) => {
    const name = attribute.name.toLowerCase();
    if (name === 'href' || name === 'src') return urlAttribute(element, attribute, base);
    if (attribute.namespace || !(isHtml ? isKept(name) : isInert(name))) return [];
    return [attribute];
  });
}

/** Prefix of the attributes that the view adds. */
const OWN_PREFIX = 'data-gl-';

/** Attributes of HTML. `disabled` is left out, since browsers report no clicks on disabled controls. */
const KEPT = new Set(
  `align alt bgcolor border cellpadding cellspacing checked class cols color colspan datetime dir face for headers height
  hidden high id label lang low max media min multiple noshade nowrap open optimum placeholder readonly reversed role rows
  rowspan scope selected size span start step style summary title type valign value width wrap`.split(/\s+/),
);

function isKept(name: string): boolean {
  return KEPT.has(name) || (/^(?:data|aria)-[\w.-]+$/.test(name) && !name.startsWith(OWN_PREFIX));
}

const ACTING = new Set([
  'action',
  'autofocus',
  'download',
  'is',
  'name',
  'ping',
  'srcdoc',
  'tabindex',
  'target',
]);

/** Returns true for attributes of drawings and formulas, whose values are numbers, paths and styles. */
function isInert(name: string): boolean {
  if (name.startsWith('on') || name.startsWith(OWN_PREFIX)) return false;
  return /^[a-z][\w.-]*$/.test(name) && !ACTING.has(name);
}

const EMBEDDED_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i;

/** Keeps links to http and https, parts of the same drawing, and images inside the page. */
function urlAttribute(
  { name, namespace }: Node,
  attribute: Token.Attribute,
  base: BaseUrl,
): Token.Attribute[] {
  const value = attribute.value.trim();
  const isSource = attribute.name.toLowerCase() === 'src';
  if (isSource || name === 'image') {
    const isImage = name === 'img' || name === 'image';
    return isImage && EMBEDDED_IMAGE.test(value) ? [plain(attribute, value)] : [];
  }
  if (name === 'a' || name === 'area') {
    const url = resolveUrl(value, base);
    return url && /^https?:$/.test(url.protocol) ? [plain(attribute, url.href)] : [];
  }
  return namespace === Namespace.svg && value.startsWith('#') ? [plain(attribute, value)] : [];
}

/** Returns the attribute without a prefix, which browsers accept for `xlink:href`. */
function plain({ name }: Token.Attribute, value: string): Token.Attribute {
  return { name: name.toLowerCase(), value };
}
