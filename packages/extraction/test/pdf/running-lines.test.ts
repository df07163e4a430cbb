import { makePdf } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { extractFormats, parseDocument, planFormats, readPdf } from '../../src/index.ts';
import { readLines } from '../../src/pdf/page-lines.ts';
import { withoutRunningLines } from '../../src/pdf/running-lines.ts';
import { writeMarkup } from '../../src/pdf/write-markup.ts';

interface Piece {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
}

type Page = readonly Piece[];

/** Returns the Markdown of pages with these lines. */
function markdownOf(pages: readonly Page[]): string {
  const lines = pages.map((page) =>
    readLines(
      page.map(({ text, x = 72, y, size = 10 }) => ({
        str: text,
        dir: 'ltr',
        width: text.length * 5,
        height: size,
        transform: [size, 0, 0, size, x, y],
        hasEOL: true,
      })),
      [],
    ),
  );
  const markup = writeMarkup(withoutRunningLines(lines), { title: '', author: '', language: '' });
  const { json } = extractFormats(parseDocument(markup), planFormats(['markdown']), {
    baseUrl: 'https://a.test/',
  });
  return JSON.parse(json).markdown;
}

/** Returns pages of two lines of text, and of what each has at its edges. */
function pagesOf(count: number, edges: (page: number) => Page): readonly Page[] {
  return Array.from({ length: count }, (_none, index) => [
    { text: `The kettle of page ${['one', 'two', 'three', 'four', 'five', 'six'][index]} boils,`, y: 700 },
    { text: 'and it whistles.', y: 688 },
    ...edges(index + 1),
  ]);
}

const text = (count: number): string => markdownOf(pagesOf(count, () => []));

describe('running lines of a PDF', () => {
  it('are left out: heads, feet and numbers of pages', () => {
    const pages = pagesOf(6, (page) => [
      { text: 'Manual of kettles', y: 750 },
      { text: `${page + 300}`, x: 300, y: 40 },
    ]);
    expect(markdownOf(pages)).toBe(text(6));
  });

  it('may alternate, have two rows, and differ a little in their height', () => {
    const pages = pagesOf(6, (page) => [
      { text: page % 2 === 0 ? `${page} KETTLES` : `1. BOILING ${page}`, y: 750 + (page % 3) / 2 },
      { text: 'Printed by the kettle press', y: 52 },
      { text: `Page ${page} of 6`, y: 40 },
    ]);
    expect(markdownOf(pages)).toBe(text(6));
  });

  it('may be Roman numerals', () => {
    const pages = pagesOf(6, (page) => [
      { text: ['i', 'ii', 'iii', 'iv', 'v', 'vi'][page - 1] ?? '', y: 40 },
    ]);
    expect(markdownOf(pages)).toBe(text(6));
  });

  it('stay in a document of few pages', () => {
    const pages = pagesOf(3, () => [{ text: 'Manual of kettles', y: 750 }]);
    expect(markdownOf(pages).match(/Manual of kettles/g)).toHaveLength(3);
  });

  it('are not the titles of slides', () => {
    const pages = pagesOf(5, () => [{ text: 'Agenda', y: 750, size: 24 }]);
    expect(markdownOf(pages).match(/# Agenda/g)).toHaveLength(5);
  });

  it('are not figures that count nothing', () => {
    const pages = pagesOf(5, (page) => [{ text: `${page * page * 7}`, y: 40 }]);
    expect(markdownOf(pages)).toContain('175');
  });

  it('are not first lines of the text, nor all of a page', () => {
    const first = pagesOf(5, () => [{ text: 'Kettle, lid, spout', y: 712 }]);
    expect(markdownOf(first).match(/Kettle, lid, spout/g)).toHaveLength(5);
    const alone = [1, 2, 3, 4].map((page) => [{ text: `Page ${page}`, y: 750 }]);
    expect(markdownOf(alone)).toBe('Page 1\n\nPage 2\n\nPage 3\n\nPage 4');
  });

  it('are left out of what is read of a file', async () => {
    const pages = ['one', 'two', 'three', 'four'].map((name) => [
      { text: 'Manual of kettles' },
      { text: name },
    ]);
    const { markup } = await readPdf(new Uint8Array(makePdf(pages)), { maxPages: 9 });
    expect(markup.match(/<p>\w+<\/p>/g)).toEqual(['<p>one</p>', '<p>two</p>', '<p>three</p>', '<p>four</p>']);
  });
});

describe('the text of a PDF', () => {
  it('has letters instead of ligatures, and keeps signs of fonts that stand alone', () => {
    const lines = ['a\uf001le \uf002oats, \ufb01nd', '\uf001 \uf002'].map((line, index) => ({
      text: line,
      y: 700 - 100 * index,
    }));
    expect(markdownOf([lines])).toBe('afile floats, find\n\n\uf001 \uf002');
  });

  it('has each entry of a table of contents apart', () => {
    const entries = [
      '2 Kettles 4',
      '2.1 Lids . . . . . . . 5',
      '2.2 Spouts of',
      'copper ......... 17',
      'End.',
    ];
    const page = entries.map((entry, index) => ({ text: entry, y: 700 - 12 * index }));
    expect(markdownOf([page]).split('\n\n')).toEqual([
      '2 Kettles 4',
      '2.1 Lids . . . . . . . 5',
      '2.2 Spouts of copper ......... 17',
      'End.',
    ]);
  });
});
