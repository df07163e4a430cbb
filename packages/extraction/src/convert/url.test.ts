import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { convertUrls } from './converters.ts';

const resolve = (texts: readonly string[], base: string) =>
  convertUrls(
    texts,
    {},
    { language: () => undefined, base: () => ({ href: base, encoding: 'utf-8' }), budget: new Budget() },
  );

describe('convertUrls', () => {
  it('resolves against the base of the page, in the order of the texts', () => {
    expect(
      resolve(['b.html', ' /c?q=ü ', '#d', '//b.test', 'b.html'], 'https://a.test/x/y.html?q#p'),
    ).toEqual([
      { value: 'https://a.test/x/b.html' },
      { value: 'https://a.test/c?q=%C3%BC' },
      { value: 'https://a.test/x/y.html?q#d' },
      { value: 'https://b.test/' },
      { value: 'https://a.test/x/b.html' },
    ]);
  });

  it('rejects other schemes, and texts that are not URLs', () => {
    expect(resolve(['mailto:a@a.test', 'javascript:x', '', 'http://'], 'https://a.test/')).toEqual(
      Array.from({ length: 4 }, () => ({
        problem: expect.stringContaining('is not a URL with http or https'),
      })),
    );
  });
});
