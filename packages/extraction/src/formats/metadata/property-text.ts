import { attributeOf, type Node } from '../../dom/node.ts';
import { absoluteUrl } from '../../read/attribute-value.ts';
import { readableText } from '../../read/text-of.ts';
import type { MetadataContext } from './collect-sources.ts';

/** Attributes that hold the URL of a property. */
const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
};

/** Attributes that hold the text of a property, if the element has them. */
const TEXT_ATTRIBUTES: Readonly<Record<string, string>> = {
  data: 'value',
  meter: 'value',
  time: 'datetime',
};

const MAX_TEXT_CHARS = 1_000_000;

/**
 * Returns the value of a property that is not an item: an absolute URL, an attribute, or the text with each block on its own
 * line. HTML §5.2.4; `content` is read from all elements, as schema.org uses it.
 */
export function propertyText(element: Node, { base, budget }: MetadataContext): string {
  const urlAttribute = Object.hasOwn(URL_ATTRIBUTES, element.name) ? URL_ATTRIBUTES[element.name] : undefined;
  if (urlAttribute !== undefined) {
    const url = attributeOf(element, urlAttribute)?.trim();
    return url === undefined ? '' : absoluteUrl(url, base(), budget);
  }
  const textAttribute = Object.hasOwn(TEXT_ATTRIBUTES, element.name)
    ? TEXT_ATTRIBUTES[element.name]
    : undefined;
  const given = textAttribute === undefined ? undefined : attributeOf(element, textAttribute);
  const text = given ?? attributeOf(element, 'content');
  if (text !== undefined) return text.trim();
  if (element.name === 'meta') return '';
  return readableText(element, MAX_TEXT_CHARS, budget);
}
