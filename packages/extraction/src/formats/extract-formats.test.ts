import { FORMAT_NAMES } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { type DocumentKind, parseDocument } from '../dom/parse-document.ts';
import { extractFormats } from './extract-formats.ts';
import { planFormats } from './plan-formats.ts';

const document = parseDocument('<title>T</title><p>one <a href=/x>two</a>');
const baseUrl = 'https://example.com/';

describe('extractFormats', () => {
  it('returns the formats as JSON in the order given', () => {
    expect(extractFormats(document, planFormats(['links', 'text']), { baseUrl })).toEqual({
      json: '{"links":[{"url":"https://example.com/x","text":"two","rel":null}],"text":"one two"}',
      warnings: [],
    });
    expect(extractFormats(document, [], { baseUrl }).json).toBe('{}');
  });

  it.each([
    ['an empty page', '', 'html'],
    ['a page', '<h1>One</h1><table><tr><th>a<td>b</table>', 'html'],
    ['XML', '<rss><channel><title>News</title><link>https://a.example/</link></channel></rss>', 'xml'],
    ['a text', 'a < b', 'text'],
    ['JSON', '{"a":[1,2]}', 'json'],
  ] satisfies [string, string, DocumentKind][])('reads every format of %s', (_name, source, kind) => {
    const page = parseDocument(source, { kind });
    const { json } = extractFormats(page, planFormats(FORMAT_NAMES), { baseUrl });
    expect(Object.keys(JSON.parse(json))).toEqual(FORMAT_NAMES);
  });

  it('counts the formats as output of the page', () => {
    const budget = new Budget({ maxOutputBytes: 40 });
    expect(() => extractFormats(document, planFormats(['text', 'links']), { baseUrl, budget })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });
});
