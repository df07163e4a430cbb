import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { convertUrls } from './url.ts';

const BASES = [
  'https://a.test/x/y.html?q=/1#part',
  'https://a.test',
  'http://u:p@a.test:8080/x/',
  'https://a.test/?#',
  'https://a.test/#/x',
  'https://a.test/a%20b/ü/',
];

const resolve = (texts: readonly string[], base: string) =>
  convertUrls(
    texts,
    {},
    { language: () => undefined, base: () => ({ href: base, encoding: 'utf-8' }), budget: new Budget() },
  );

describe('convertUrls', () => {
  it('resolves as the URL standard does, plain links and all others', () => {
    const pieces = [
      'a',
      'b.html',
      '.',
      '..',
      '/',
      '//',
      '#',
      '?',
      ':',
      '%2e',
      ' ',
      'ü',
      '\\',
      '~',
      '-',
      '_',
      '1',
      '\t',
      '@',
      ';',
    ];
    const texts: string[] = [];
    for (const one of pieces)
      for (const two of pieces) for (const three of pieces) texts.push(one + two + three);
    for (const base of BASES) {
      const expected = texts.map((text) => {
        const url = text.trim() === '' ? null : URL.parse(text, base);
        return url && /^https?:$/.test(url.protocol) ? url.href : null;
      });
      const values = resolve(texts, base).map((conversion) =>
        'value' in conversion ? conversion.value : null,
      );
      expect(values).toEqual(expected);
    }
  });

  it('rejects other schemes, and texts that are not URLs', () => {
    expect(resolve(['mailto:a@a.test', 'javascript:x', '', 'http://'], 'https://a.test/')).toEqual(
      Array.from({ length: 4 }, () => ({
        problem: expect.stringContaining('is not a URL with http or https'),
      })),
    );
  });
});
