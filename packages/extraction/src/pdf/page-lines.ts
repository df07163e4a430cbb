/** Line of text on a page. */
export interface PageLine {
  readonly runs: readonly Run[];
  /** Height of most of its characters, in points. */
  readonly size: number;
  readonly left: number;
  /** Position of its baseline above the bottom of the page. */
  readonly baseline: number;
}

/** Characters of one line with the same link. */
export interface Run {
  readonly text: string;
  /** URL that the text links to. */
  readonly url: string | undefined;
}

/** Returns the text of runs. */
export function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** Text of this many times the usual size is a heading. */
export const HEADING_FACTOR = 1.15;

/** Returns the numbers of characters by the size of their text, the most common size first. */
export function charactersBySize(lines: readonly PageLine[]): ReadonlyMap<number, number> {
  const characters = new Map<number, number>();
  for (const { size, runs } of lines) {
    characters.set(size, (characters.get(size) ?? 0) + textOf(runs).length);
  }
  return new Map([...characters].sort(([, one], [, other]) => other - one));
}

/** Returns the size of most of the text. */
export function usualSize(lines: readonly PageLine[]): number {
  const [usual = 0] = charactersBySize(lines).keys();
  return usual;
}

/** Piece of text as PDF.js returns it. */
interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  /** The last two numbers are the position of its beginning. */
  readonly transform: readonly number[];
  readonly hasEOL: boolean;
}

/** Area of a page that links to a URL, undefined for a link inside the document. */
interface Annotation {
  readonly subtype?: string;
  readonly url?: string;
  /** The URL where it is relative, or of a scheme that PDF.js does not know. */
  readonly unsafeUrl?: string;
  readonly rect?: readonly number[];
}

/** Links of one page that count. */
const MAX_LINKS = 5000;

/** Divides the text of a page into lines, in the order of the file. */
export function readLines(items: readonly object[], annotations: readonly Annotation[]): readonly PageLine[] {
  const links = new LinkFinder(annotations);
  const lines: PageLine[] = [];
  let line: TextItem[] = [];
  const end = (): void => {
    if (line.some(({ str }) => str.trim() !== '')) lines.push(lineOf(line, links));
    line = [];
  };
  for (const item of items.filter(isText)) {
    if (item.str !== '') line.push(item);
    if (item.hasEOL) end();
  }
  end();
  const unseen = links.unused.map((url): Run => ({ text: '', url }));
  const last = lines.at(-1) ?? { size: 0, left: 0, baseline: 0 };
  return unseen.length > 0 ? [...lines, { ...last, runs: unseen }] : lines;
}

/** Marks of structure are items without text. */
function isText(item: object): item is TextItem {
  return 'str' in item;
}

function lineOf(items: readonly TextItem[], links: LinkFinder): PageLine {
  const sizes = new Map<number, number>();
  for (const { str, height } of items) {
    const size = Math.round(height * 2) / 2;
    sizes.set(size, (sizes.get(size) ?? 0) + str.trim().length);
  }
  const [[size] = [0]] = [...sizes].sort(([, one], [, other]) => other - one);
  const [first] = items as readonly [TextItem];
  return {
    runs: withLetters(inReadingOrder(items).flatMap((item) => links.split(item))),
    size,
    left: Math.min(...items.slice(0, 100).map(({ transform }) => transform[4] ?? 0)),
    baseline: first.transform[5] ?? 0,
  };
}

/** Ligatures of Unicode, and of fonts that have them at places of their own beside letters. */
const LIGATURES = /[\ufb00-\ufb06]|(?<=\p{L})[\uf001\uf002]|[\uf001\uf002](?=\p{L})/gu;
const OWN_LIGATURES = new Map([
  ['\uf001', 'fi'],
  ['\uf002', 'fl'],
]);

/** Returns the runs with letters instead of ligatures. */
function withLetters(runs: readonly Run[]): readonly Run[] {
  if (!runs.some(({ text }) => /[\ufb00-\ufb06\uf001\uf002]/.test(text))) return runs;
  return runs.map(({ text, url }, index) => {
    const before = runs[index - 1]?.text.slice(-1) ?? '';
    const after = runs[index + 1]?.text.slice(0, 1) ?? '';
    const spelled = `${before}${text}${after}`.replace(
      LIGATURES,
      (sign) => OWN_LIGATURES.get(sign) ?? sign.normalize('NFKC'),
    );
    return { text: spelled.slice(before.length, spelled.length - after.length), url };
  });
}

/** Many writers put the pieces of a line that is read from right to left from left to right. */
function inReadingOrder(items: readonly TextItem[]): readonly TextItem[] {
  const words = items.filter(({ str }) => str.trim() !== '');
  const toLeft = words.filter(({ dir }) => dir === 'rtl').length;
  if (toLeft * 2 <= words.length) return items;
  const positions = words.map(({ transform }) => transform[4] ?? 0);
  const isAscending = positions.every((x, index) => index === 0 || x >= (positions[index - 1] ?? 0));
  return isAscending ? [...items].reverse() : items;
}

/** Finds the links under pieces of text. */
class LinkFinder {
  readonly #links: readonly { readonly url: string; readonly rect: readonly number[] }[];
  readonly #used = new Set<string>();

  constructor(annotations: readonly Annotation[]) {
    this.#links = annotations
      .flatMap(({ subtype, unsafeUrl = '', url = unsafeUrl, rect }) =>
        subtype === 'Link' && url !== '' && rect ? [{ url, rect }] : [],
      )
      .slice(0, MAX_LINKS);
  }

  /** URLs of links without text, such as those of pictures. */
  get unused(): readonly string[] {
    return [...new Set(this.#links.map(({ url }) => url))].filter((url) => !this.#used.has(url));
  }

  /** Divides a piece of text at the edges of a link, which may be on some of its words. */
  split({ str, transform, width, height }: TextItem): readonly Run[] {
    const [x = 0, y = 0] = transform.slice(4);
    const middle = y + height / 3;
    const isOver = ([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): boolean =>
      bottom <= middle && middle <= top && Math.min(right, x + width) - Math.max(left, x) > 1;
    const link = str.trim() === '' ? undefined : this.#links.find(({ rect }) => isOver(rect));
    if (!link || width <= 0) return [{ text: str, url: undefined }];
    this.#used.add(link.url);
    const [left = 0, , right = 0] = link.rect;
    const begin = edgeOfWord(str, ((left - x) / width) * str.length);
    const end = edgeOfWord(str, ((right - x) / width) * str.length);
    const parts = [
      { text: str.slice(0, begin), url: undefined },
      { text: str.slice(begin, end), url: link.url },
      { text: str.slice(end), url: undefined },
    ];
    return end > begin ? parts.filter(({ text }) => text !== '') : [{ text: str, url: link.url }];
  }
}

/** Returns the edge of a word next to a position, which is an estimate. */
function edgeOfWord(text: string, position: number): number {
  const at = Math.max(0, Math.min(text.length, Math.round(position)));
  const isEdge = (index: number): boolean =>
    index <= 0 || index >= text.length || (text[index - 1] === ' ') !== (text[index] === ' ');
  for (let distance = 0; distance <= text.length; distance += 1) {
    if (isEdge(at - distance)) return Math.max(0, at - distance);
    if (isEdge(at + distance)) return Math.min(text.length, at + distance);
  }
  return at;
}
