import { describe, expect, it } from '@jest/globals';
import { Budget } from '../../src/budget.ts';
import { parseDocument } from '../../src/dom/parse-document.ts';
import { readMarkdown } from '../../src/formats/extract-formats.ts';

const COUNT = 100_000;

const markdownOfPage = (html: string): string =>
  readMarkdown(parseDocument(html), { baseUrl: 'https://example.org/', budget: new Budget() }) as string;

describe('markdown of hostile pages', () => {
  it.each([
    ['elements', '<div>'],
    ['marks', '<em>a<strong>b'],
    ['lists', '<ul><li>a'],
    ['quotes', '<blockquote>a'],
    ['definitions', '<dl><dt>a<dd>b'],
    ['tables', '<table><tr><td>a'],
    ['links around blocks', '<a href=x><p>a'],
    ['equal marks', '<b>a</b>'],
    ['marks of punctuation', '<b>a.</b><i>.b</i>'],
    ['columns', '<table><tr><td colspan=1000000>a'],
    ['rows', '<table><tr><td rowspan=65534>a<td>b'],
  ])('is written within the budget for many %s', (_name, piece) => {
    expect(markdownOfPage(`${piece.repeat(COUNT)}end`)).toContain('end');
  });

  it('keeps lines short however deep lists are', () => {
    const longest = Math.max(
      ...markdownOfPage('<ul><li>a'.repeat(1000))
        .split('\n')
        .map(({ length }) => length),
    );
    expect(longest).toBeLessThan(100);
  });

  it('bounds the empty cells that spans add', () => {
    const markdown = markdownOfPage(
      `<table><tr><th colspan=1000000000>a<tr><td rowspan=99999>b<td>c</table>`,
    );
    expect(markdown.length).toBeLessThan(1000);
  });

  it('does not repeat a long URL in each block of its link', () => {
    const html = `<a href="/${'x'.repeat(10_000)}">${'<p>a'.repeat(1000)}</a>`;
    expect(markdownOfPage(html).length).toBeLessThan(400_000);
  });

  it('stops when the markdown is larger than values may be', () => {
    const html = `${'<ul><li>'.repeat(24)}${'a<br>'.repeat(1_000_000)}`;
    expect(() => markdownOfPage(html)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }));
  });
});
