import { FORMAT_NAMES, type FormatName } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { areHeavy, extractFormats, loadFormatReaders } from './extract-formats.ts';
import type { FormatReader } from './format-reader.ts';

const document = parseDocument('<p>one');
const readers = new Map<FormatName, FormatReader>([
  ['text', ({ elements }, { baseUrl }) => `${elements.length} elements of ${baseUrl}`],
  ['links', () => [{ url: 'https://example.com/', text: null }]],
]);
const baseUrl = 'https://example.com/';

describe('extractFormats', () => {
  it('returns the formats as JSON in the order given', () => {
    expect(extractFormats(document, ['links', 'text'], { baseUrl, readers })).toBe(
      '{"links":[{"url":"https://example.com/","text":null}],"text":"4 elements of https://example.com/"}',
    );
    expect(extractFormats(document, [], { baseUrl, readers })).toBe('{}');
  });

  it('loads only the libraries of the formats that are asked for', async () => {
    expect(areHeavy([])).toBe(false);
    expect(extractFormats(document, [], { baseUrl, readers: await loadFormatReaders([]) })).toBe('{}');
  });

  it('has a reader for every format that a request can name', async () => {
    expect([...(await loadFormatReaders(FORMAT_NAMES)).keys()].sort()).toEqual([...FORMAT_NAMES].sort());
  });

  it('counts the formats as output of the page', () => {
    const budget = new Budget({ maxOutputBytes: 40 });
    expect(() => extractFormats(document, ['text', 'links'], { baseUrl, readers, budget })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });
});
