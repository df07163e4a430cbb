import { expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { readMarkdown } from '../formats/extract-formats.ts';

/** Lists of terms and definitions, and their markdown. */
const LISTS: readonly (readonly [name: string, html: string, lines: readonly string[]])[] = [
  [
    'a list after the text of a definition',
    '<dl><dt>A<dd>x<dl><dt>B<dd>y<dt>C<dd>z</dl><dt>D<dd>w</dl>',
    ['**A**', '', '- x', '', '  **B**', '', '  - y', '', '  **C**', '', '  - z', '', '**D**', '', '- w'],
  ],
  [
    'a list that is all of a definition',
    '<dl><dt>A<dd><dl><dt>B<dd>y<dt>C<dd><p>z<p>zz</dl><dt>D<dd>w</dl>',
    ['**A**', '', '- **B**', '', '  y', '', '- **C**', '', '  z', '', '  zz', '', '**D**', '', '- w'],
  ],
  [
    'an outline',
    '<dl><dt><a href=a>A</a></dt><dd><dl><dt>B</dt><dt>C</dt><dd><dl><dt>D</dl></dl></dd><dt>E</dt></dl>',
    ['- [A](https://example.org/a)', '  - B', '  - C', '    - D', '- E'],
  ],
  ['terms alone', '<dl><dt>a</dt><dt>b</dt></dl>', ['- a', '- b']],
  [
    'a list of another kind in a definition',
    '<dl><dt>A<dd><ul><li>x<li>y</ul></dl>',
    ['**A**', '', '- x', '- y'],
  ],
  ['a list in an item', '<ul><li>a<dl><dt>T<dd>d</dl><li>b</ul>', ['- a', '', '  **T**', '', '  - d', '- b']],
  [
    'groups of terms, in two lists',
    '<dl><div><dt>A<dd>x</div><div><dt>B<dd>y</div></dl><dl><dt>C<dd>z</dl>',
    ['**A**', '', '- x', '', '**B**', '', '- y', '', '**C**', '', '- z'],
  ],
  [
    'definitions without a term',
    '<dl><dd>x</dl><dl><dt>A<dd><dl><dd>y</dl></dl>',
    ['- x', '', '* A', '  - y'],
  ],
];

it.each(LISTS)('writes %s', (_name, html, lines) => {
  const markdown = readMarkdown(parseDocument(html), {
    baseUrl: 'https://example.org/',
    budget: new Budget(),
  });
  expect(markdown.split('\n')).toEqual(lines);
});
