import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import { type BaseUrl, parseUrl } from '../dom/parse-url.ts';

/**
 * Returns the absolute URL of an image's largest file, the first of equal ones; undefined without one over http or https.
 * An image that loads late has its own URL instead of that of its placeholder.
 */
export function imageUrl(image: Node, base: BaseUrl, budget: Budget): string | undefined {
  const elements = [image, ...sourcesOf(image, budget)];
  const candidates = elements.flatMap((element) => candidatesOf(element, budget));
  candidates.sort((one, other) => other.width - one.width || other.density - one.density);
  for (const { url } of candidates) {
    const parsed = parseUrl(url, base, budget);
    if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed.href;
  }
  return undefined;
}

/** Attributes of lazy-loading scripts for the file, before the attribute of the placeholder. */
const FILE_ATTRIBUTES = ['data-src', 'data-lazy-src', 'data-original', 'src'];
const SET_ATTRIBUTES = ['data-srcset', 'data-lazy-srcset', 'srcset'];

/** An image within its URL, or a reference to the page itself. */
const NO_FILE = /^\s*(?:data:|#|\?\s*$)/i;

/** A file of an image. */
interface Candidate {
  readonly url: string;
  /** Width in pixels; 0 where it is not given. */
  readonly width: number;
  readonly density: number;
}

/** Returns the elements of the `picture` around an image that name further files; they stand before it. HTML §4.8.1. */
function sourcesOf(image: Node, budget: Budget): Node[] {
  if (image.parent === null || !isHtmlElement(image.parent, 'picture')) return [];
  const sources: Node[] = [];
  for (let node = image.previous; node !== null && !isHtmlElement(node, 'img'); node = node.previous) {
    budget.spend(1);
    if (isHtmlElement(node, 'source')) sources.push(node);
  }
  return sources.reverse();
}

function candidatesOf(element: Node, budget: Budget): Candidate[] {
  const files = isHtmlElement(element, 'img')
    ? FILE_ATTRIBUTES.map((name) => attributeOf(element, name))
    : [];
  return [
    ...files.flatMap((url) => (url?.trim() ? [{ url, width: 0, density: 1 }] : [])),
    ...SET_ATTRIBUTES.flatMap((name) => parseSrcset(attributeOf(element, name) ?? '', budget)),
  ].filter(({ url }) => !NO_FILE.test(url));
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

/** Returns true for the pixels with which pages count their visitors. */
export function isPixel(image: Node): boolean {
  const { width, height } = sizeOf(image);
  return (width ?? 2) < 2 || (height ?? 2) < 2;
}

/** Returns the size of an image in CSS pixels, where its attributes give it. */
export function sizeOf(image: Node): { readonly width: number | null; readonly height: number | null } {
  return { width: pixelsOf(image, 'width'), height: pixelsOf(image, 'height') };
}

/** Returns the number of CSS pixels in an attribute; null for other lengths, such as per cent. */
function pixelsOf(image: Node, name: string): number | null {
  const [, pixels] =
    /^\s*(\d{1,6})(?:\.\d{0,9})?(?:px)?\s*$/.exec(attributeOf(image, name)?.slice(0, 40) ?? '') ?? [];
  return pixels === undefined ? null : Number(pixels);
}
