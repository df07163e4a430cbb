import { describe, expect, it } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { Budget } from '../../src/budget.ts';
import type { Node } from '../../src/dom/node.ts';
import { parseDocument } from '../../src/dom/parse-document.ts';
import { readMarkdown } from '../../src/formats/extract-formats.ts';
import { readableText } from '../../src/read/text-of.ts';
import { readCorpus } from '../browser/corpus.ts';
import { describeHtml } from './describe-html.ts';
import { readSpecExamples } from './spec-examples.ts';

const baseUrl = 'https://example.org/a/';

const markdownOfPage = (html: string): string =>
  readMarkdown(parseDocument(html), { baseUrl, budget: new Budget() }) as string;

const readDangerous = { allowDangerousHtml: true, allowDangerousProtocol: true };

const readGfm = (markdown: string): string =>
  micromark(markdown, { ...readDangerous, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

/** Returns the readable text of the body, with one space between words. */
function wordsOf(html: string): string {
  const body = parseDocument(html).elements.find(({ name }) => name === 'body') as Node;
  return readableText(body, Number.POSITIVE_INFINITY, new Budget()).replaceAll('\n', ' ');
}

describe('markdown read by a CommonMark parser', () => {
  const examples = readSpecExamples();

  it('covers the specification', () => {
    expect(examples.length).toBeGreaterThan(550);
  });

  it.each(examples)('gives the HTML of example $number ($section)', ({ html }) => {
    const again = micromark(markdownOfPage(html), readDangerous);
    expect(describeHtml(again, baseUrl)).toBe(describeHtml(html, baseUrl));
  });
});

describe('markdown read by a GFM parser', () => {
  it('gives the words of every page of the corpus in their order', () => {
    const pages = readCorpus().filter(({ name }) => !name.startsWith('pages/'));
    expect(pages.length).toBeGreaterThan(150);
    for (const { name, html } of pages) {
      expect({ name, words: wordsOf(readGfm(markdownOfPage(html))) }).toEqual({ name, words: wordsOf(html) });
    }
  });

  it.each([
    [
      'alignments',
      '<table><tr><th align="left">a</th><th align=center>b<th align=right>c<tr><td align=left>1',
    ],
    ['bars', '<table><tr><th>a | b<th><code>c|d</code><tr><td>\\|<td><a href="x|y">z|</a></table>'],
    ['strikethrough', '<p><del>a</del> ~b~ ~~c~~ <s>d</s></p>'],
    ['footnotes in plain text', '<p>a[^1]</p><p>[^1]: b</p><p>[c]: d</p>'],
    ['tables in plain text', '<p>a | b<br>--- | ---<br>c | d</p>'],
    ['an address in angle brackets', '<p>a &lt;.b@c.de> f</p>'],
    ['emphasis after that of strong text', '<p><b><i>a</i></b><i>b</i></p>'],
    ['strong text before the end of a mark that is left out', '<p><i><s>1<b> "+ **</b></s>1.</i></p>'],
    ['struck text on both sides of the end of a mark that is left out', '<p><i><s>a</s></i><s>b</s></p>'],
    ['a task before a rule', '<ul><li><input type=checkbox>a<ul><hr></ul></ul>'],
    ['a URL with a bar in a table', '<table><tr><th>a<th>b<tr><td>https://x.org/|<td>c</table>'],
    ['code like a label in a link', '<p><a href=x><i>a <code>]:@</code></i><code>1]:</code></a></p>'],
    ['tasks in plain text', '<ul><li>[ ] a</li><li>[x] b</li></ul>'],
  ])('gives the words of %s', (_name, html) => {
    expect(wordsOf(readGfm(markdownOfPage(html)))).toBe(wordsOf(html));
  });
});
