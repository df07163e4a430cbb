import { type ParsedDocument, parseDocument } from '@gleaner/extraction';

// Loaded after parse5, which jest cannot load for both at once.
const { JSDOM } = await import('jsdom');

/** A page in our tree and in a DOM. */
export interface TwinPage {
  readonly document: ParsedDocument;
  /** Returns the places in document order of the elements that `querySelectorAll` finds. */
  readonly query: (css: string) => number[];
  /** Returns the place of the only element that `querySelectorAll` finds. */
  readonly place: (css: string) => number;
}

/** Parses a page twice. */
export function openTwice(html: string): TwinPage {
  const { document } = new JSDOM(html).window;
  const places = new Map([...document.querySelectorAll('*')].map((element, place) => [element, place]));
  const query = (css: string): number[] =>
    [...document.querySelectorAll(css)].map((found) => places.get(found) as number);
  return {
    document: parseDocument(html),
    query,
    place(css) {
      const [only, ...more] = query(css);
      if (only === undefined || more.length > 0) throw new Error(`${css} does not match one element.`);
      return only;
    },
  };
}
