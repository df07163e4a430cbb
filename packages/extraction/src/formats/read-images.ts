import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { resolveBase } from '../dom/parse-url.ts';
import { imageUrl, isPixel, sizeOf } from '../read/image-url.ts';
import { collapse, isNever } from '../read/text-of.ts';
import type { FormatReader } from './format-reader.ts';

/** Different images that are read from one page. */
const MAX_IMAGES = 10_000;

/**
 * Reads the images of the page, each URL once, in document order; limited in number. An image that comes in several sizes
 * has the URL of the largest, and one that loads late its own URL instead of that of its placeholder. Left out are images
 * within their URL (`data:`), those for browsers without scripts, and the pixels that count visitors.
 */
export const readImages: FormatReader = (document, { baseUrl, budget, part }) => {
  const base = resolveBase(document, baseUrl);
  const isLeftOut = part?.isLeftOut ?? isNever;
  const images = new Map<string, Image>();
  for (const image of imageElements(document, budget)) {
    if (images.size >= MAX_IMAGES) break;
    const { width, height } = sizeOf(image);
    if (isLeftOut(image) || isPixel(image)) continue;
    const url = imageUrl(image, base, budget);
    const alt = collapse(attributeOf(image, 'alt') ?? '') || null;
    const known = url === undefined ? undefined : images.get(url);
    if (known) known.alt ??= alt;
    else if (url !== undefined) images.set(url, { url, alt, width, height });
  }
  return [...images.values()].map((image) => ({ ...image }));
};

interface Image {
  /** Absolute, with http or https. */
  readonly url: string;
  /** The first alternative text that there is. */
  alt: string | null;
  /** Width and height in CSS pixels, where the attributes give them. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Yields the images in document order. */
function* imageElements({ elements, ends }: ParsedDocument, budget: Budget): Generator<Node, void> {
  for (let order = 0; order < elements.length; order++) {
    const image = elements[order] as Node;
    budget.spend(1);
    if (isHtmlElement(image, 'noscript')) order = (ends[order] as number) - 1;
    if (isHtmlElement(image, 'img')) yield image;
  }
}
