import { makePdf, writePdf } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { extractFormats, parseDocument, planFormats, readPdf } from '../../src/index.ts';
import { readLines } from '../../src/pdf/page-lines.ts';
import { writeMarkup } from '../../src/pdf/write-markup.ts';

/** A piece of text at a place, as PDF.js returns it. */
interface Piece {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  readonly dir?: string;
  readonly isLast?: boolean;
}

function item({ text, x = 72, y, size = 10, dir = 'ltr', isLast = true }: Piece) {
  const transform = [size, 0, 0, size, x, y];
  return { str: text, dir, width: text.length * 5, height: size, transform, hasEOL: isLast };
}

/** Returns the Markdown of a page with these pieces of text. */
function markdownOf(pieces: readonly Piece[], links: Parameters<typeof readLines>[1] = []): string {
  const lines = readLines(pieces.map(item), links);
  const markup = writeMarkup([lines], { title: '', author: '', language: '' });
  const { json } = extractFormats(parseDocument(markup), planFormats(['markdown']), {
    baseUrl: 'https://a.test/',
  });
  return JSON.parse(json).markdown;
}

const USUAL = { text: 'The usual text of this page, which has most of its characters.', y: 20 };

describe('the lines of a PDF', () => {
  it('are paragraphs as long as they follow each other closely', () => {
    const lines = ['One two', 'three.', 'Four.'].map((text, index) => ({
      text,
      y: [700, 688, 660][index] ?? 0,
    }));
    expect(markdownOf(lines)).toBe('One two three.\n\nFour.');
  });

  it('are headings by their size, the largest first', () => {
    const pieces = [{ text: 'Title', y: 700, size: 24 }, { text: 'Part', y: 650, size: 14 }, USUAL];
    expect(markdownOf(pieces)).toBe(`# Title\n\n## Part\n\n${USUAL.text}`);
  });

  it('join the halves of a divided word', () => {
    const pieces = [
      { text: 'A kettle boils wa-', y: 700 },
      { text: 'ter, and the North-', y: 688 },
      { text: 'East wind blows.', y: 676 },
    ];
    expect(markdownOf(pieces)).toBe('A kettle boils water, and the North- East wind blows.');
  });

  it('are lists where they begin with bullets, which may be pieces of their own', () => {
    const pieces = [
      { text: '•', y: 700, isLast: false },
      { text: ' first', x: 80, y: 700 },
      { text: '• second', y: 688 },
      { text: 'goes on', x: 84, y: 676 },
      { text: 'After them.', y: 640 },
    ];
    expect(markdownOf(pieces)).toBe('- first\n- second goes on\n\nAfter them.');
  });

  it('link the words that a link lies over', () => {
    const pieces = [{ text: 'See the kettles of the shop.', y: 700 }];
    const rect = [72 + 8 * 5, 698, 72 + 15 * 5, 710];
    const links = [{ subtype: 'Link', url: 'https://a.test/k', rect }];
    expect(markdownOf(pieces, links)).toBe('See the [kettles](https://a.test/k) of the shop.');
  });

  it('are in the order of reading where that is from right to left', () => {
    const rtl = (text: string, x: number, isLast = false) => ({ text, x, y: 700, dir: 'rtl', isLast });
    expect(markdownOf([rtl('עולם', 72), rtl(' ', 92), rtl('שלום', 97, true)])).toBe('שלום עולם');
    expect(markdownOf([rtl('שלום', 97), rtl(' ', 92), rtl('עולם', 72, true)])).toBe('שלום עולם');
  });
});

describe('readPdf', () => {
  it('escapes what looks like markup, in properties too', async () => {
    const { markup } = await readPdf(
      new Uint8Array(makePdf([[{ text: '<script>&amp;' }]], { title: '<b>"A" & B</b>' })),
      { maxPages: 1 },
    );
    expect(markup).toContain('<title>&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;</title>');
    expect(markup).toContain('<p>&lt;script&gt;&amp;amp;</p>');
  });

  it('names the maps of characters that a font would need', async () => {
    const content = 'BT /F1 24 Tf 72 700 Td <4E2D6587> Tj ET';
    const system = '<< /Registry (Adobe) /Ordering (GB1) /Supplement 2 >>';
    const pdf = writePdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 6 0 R >>',
      '<< >>',
      '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [7 0 R] >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo ${system} /FontDescriptor 8 0 R >>`,
      '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 >>',
    ]);
    const { warnings } = await readPdf(new Uint8Array(pdf), { maxPages: 1 });
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'PDF_WITHOUT_TEXT' }),
      expect.objectContaining({ code: 'PDF_CUT', message: expect.stringContaining('UniGB-UCS2-H') }),
    ]);
  });

  it('has no pages where their count is below zero', async () => {
    const pdf = writePdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count -5 >>']);
    const { pages, warnings } = await readPdf(new Uint8Array(pdf), { maxPages: 1 });
    expect(pages).toBe(0);
    expect(warnings).toEqual([expect.objectContaining({ code: 'PDF_WITHOUT_TEXT' })]);
  });

  it('checks between pages whether it may go on', async () => {
    const pages = Array.from({ length: 3 }, (_none, index) => [{ text: `Page ${index}` }]);
    let checks = 0;
    const stop = (): void => {
      checks += 1;
      if (checks === 2) throw new Error('stopped');
    };
    const reading = readPdf(new Uint8Array(makePdf(pages)), { maxPages: 9, checkpoint: stop });
    await expect(reading).rejects.toThrow('stopped');
  });
});
