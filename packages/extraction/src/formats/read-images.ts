import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { type BaseUrl, parseUrl, resolveBase } from '../dom/parse-url.ts';
import { collapse, isNever } from '../read/text-of.ts';
import type { FormatReader } from './extract-formats.ts';

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
  for (const { image, sources } of imageElements(document, budget)) {
    if (images.size >= MAX_IMAGES) break;
    const [width, height] = [pixelsOf(image, 'width'), pixelsOf(image, 'height')];
    if (isLeftOut(image) || (width ?? 2) < 2 || (height ?? 2) < 2) continue;
    const url = bestUrl([image, ...sources], base, budget);
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

interface ImageElement {
  readonly image: Node;
  /** Elements of the `picture` around it that name further files. */
  readonly sources: readonly Node[];
}

/** Yields the images in document order; the first one of a `picture` with its sources. */
function* imageElements({ elements, ends }: ParsedDocument, budget: Budget): Generator<ImageElement, void> {
  let picture: Node | null = null;
  for (let order = 0; order < elements.length; order++) {
    const image = elements[order] as Node;
    budget.spend(1);
    if (isHtmlElement(image, 'noscript')) order = (ends[order] as number) - 1;
    if (!isHtmlElement(image, 'img')) continue;
    const { parent } = image;
    const isFirst = parent !== null && parent !== picture && isHtmlElement(parent, 'picture');
    yield { image, sources: isFirst ? sourcesIn(parent) : [] };
    if (isFirst) picture = parent;
  }
}

function sourcesIn(picture: Node): Node[] {
  const sources: Node[] = [];
  for (let child = picture.first; child !== null; child = child.next) {
    if (isHtmlElement(child, 'source')) sources.push(child);
  }
  return sources;
}

/** Returns the number of CSS pixels in an attribute; null for other lengths, such as per cent. */
function pixelsOf(image: Node, name: string): number | null {
  const [, pixels] =
    /^\s*(\d{1,6})(?:\.\d{0,9})?(?:px)?\s*$/.exec(attributeOf(image, name)?.slice(0, 40) ?? '') ?? [];
  return pixels === undefined ? null : Number(pixels);
}

/** Attributes in which scripts that load images late keep the file, before those of the file that is shown until then. */
const FILE_ATTRIBUTES = ['data-src', 'data-lazy-src', 'data-original', 'src'];
const SET_ATTRIBUTES = ['data-srcset', 'data-lazy-srcset', 'srcset'];

/** A file of an image. */
interface Candidate {
  readonly url: string;
  /** Width in pixels; 0 where it is not given. */
  readonly width: number;
  readonly density: number;
}

/** Returns the absolute URL of the largest file, the first of equal ones; undefined without one over http or https. */
function bestUrl(elements: readonly Node[], base: BaseUrl, budget: Budget): string | undefined {
  const candidates = elements.flatMap((element) => candidatesOf(element, budget));
  candidates.sort((one, other) => other.width - one.width || other.density - one.density);
  for (const { url } of candidates) {
    const parsed = parseUrl(url, base, budget);
    if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed.href;
  }
  return undefined;
}

function candidatesOf(element: Node, budget: Budget): Candidate[] {
  const files = isHtmlElement(element, 'img')
    ? FILE_ATTRIBUTES.map((name) => attributeOf(element, name))
    : [];
  return [
    ...files.flatMap((url) => (url?.trim() ? [{ url, width: 0, density: 1 }] : [])),
    ...SET_ATTRIBUTES.flatMap((name) => parseSrcset(attributeOf(element, name) ?? '', budget)),
  ].filter(({ url }) => !/^\s*data:/i.test(url));
}

/** Parses a list of files with widths or densities: "a.png 300w, b.png 600w". HTML §4.8.4.2.1. */
function parseSrcset(srcset: string, budget: Budget): Candidate[] {
  budget.spendReading(srcset.length);
  const candidates: Candidate[] = [];
  const nextUrl = /[\s,]*([^\s,]\S*)/y;
  const nextSize = /[^,]*/y;
  for (let found = nextUrl.exec(srcset); found !== null; found = nextUrl.exec(srcset)) {
    budget.spend(STEPS_PER_CANDIDATE);
    const [, word = ''] = found;
    // A URL may hold commas; those at its end are not part of it, and no size follows them.
    const url = withoutCommas(word);
    nextSize.lastIndex = nextUrl.lastIndex;
    const size = url === word ? (nextSize.exec(srcset)?.[0] ?? '') : '';
    nextUrl.lastIndex += size.length;
    candidates.push({ url, ...sizeIn(size.slice(0, MAX_SIZE_CHARS)) });
  }
  return candidates;
}

const STEPS_PER_CANDIDATE = 8;
const MAX_SIZE_CHARS = 100;

function withoutCommas(word: string): string {
  let end = word.length;
  while (word.charAt(end - 1) === ',') end -= 1;
  return word.slice(0, end);
}

function sizeIn(text: string): Pick<Candidate, 'width' | 'density'> {
  const [, size = '1', unit] = /(?:^|\s)(\d{1,9}(?:\.\d{1,9})?)([wx])(?:\s|$)/.exec(text) ?? [];
  return unit === 'w' ? { width: Number(size), density: 1 } : { width: 0, density: Number(size) };
}
