import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../dom/parse-document.ts';
import { extractFormats } from '../formats/extract-formats.ts';
import { planFormats } from '../formats/plan-formats.ts';

const TEXT =
  '<p>The kettle boils, whistles, and steams, as long as there is water in it, and it stops.</p>'.repeat(6);

/** Returns the article of a page of documentation with this between its paragraphs. */
function articleWith(html: string): string {
  const page = `<body><div role=main><h1>Kettles</h1>${TEXT}${html}${TEXT}</div>`;
  return articleOf(page);
}

function articleOf(page: string): string {
  const { json } = extractFormats(parseDocument(page), planFormats(['article']), {
    baseUrl: 'https://a.test/',
  });
  return JSON.parse(json).article.markdown;
}

const link = (name: string): string => `<a href="${name}">${name}</a>`;

/** Parts of documentation that consist of links. */
const PARTS: readonly (readonly [name: string, html: string, expected: string])[] = [
  [
    'a note',
    `<div class="admonition note"><p class=admonition-title>Note</p><p>Use ${link('the_kettle_of_steel')}.</p></div>`,
    '> Use [the_kettle_of_steel]',
  ],
  [
    'cells of a table',
    `<table><tr><th>Name<th>Use<tr><td><p>${link('lid')}</p><td><p>It closes.</p></table>`,
    '| [lid](https://a.test/lid) | It closes. |',
  ],
  [
    'a definition',
    `<dl><dt>Lid of steel, which closes the kettle<dd><p>${link('closing')}</p></dl>`,
    '- [closing]',
  ],
  [
    'a remark in a definition',
    `<dl><dt>Lid<dd><p>It closes the kettle, and opens it when you pull.</p><div class=added><p>New: ${link('lids')}</p></div></dl>`,
    'New: [lids]',
  ],
  [
    'a section whose heading has a target before it',
    `<section><span id=t></span><h2>Lids</h2><ul><li>${link('round')}<li>${link('square')}</ul></section>`,
    '## Lids\n\n- [round]',
  ],
  [
    'a list that a paragraph introduces',
    `<p>New:</p><ul><li>${link('round_lids')} close<li>${link('square_lids')} open</ul>`,
    '- [round_lids]',
  ],
  [
    'a list of places in the page',
    '<p>New:</p><ul><li><a href="#a">A</a><li><a href="#b">B</a></ul>',
    '- [A]',
  ],
  [
    'a list in an item',
    `<ul><li><p>These kettles whistle:</p><ul><li>${link('one')}<li>${link('two')}</ul></ul>`,
    '- [one]',
  ],
  [
    'tabs that are hidden',
    '<div role=tabpanel>Light the gas, and wait.</div><div role=tabpanel hidden>Switch it on, and wait.</div>',
    'Light the gas, and wait.\n\nSwitch it on, and wait.',
  ],
  [
    'tasks',
    '<ul><li><input type=checkbox disabled checked> Fill it.<li><input type=checkbox disabled> Boil it.</ul>',
    '- [x] Fill it.\n- [ ] Boil it.',
  ],
];

/** Lists that lead elsewhere. */
const ELSEWHERE = [
  `<p>Read more:</p><ul><li>${link('one')}<li>${link('two')}</ul>`,
  `<p>Our shop:</p><ul><li>${link('one')}<li>${link('two')}</ul>`,
];

describe('the article of documentation', () => {
  it.each(PARTS)('has %s', (_name, html, expected) => {
    expect(articleWith(html)).toContain(expected);
  });

  it.each(ELSEWHERE)('has no links elsewhere: %s', (html) => {
    expect(articleWith(html)).not.toContain('[one]');
  });

  it('has all of its sections, with those of code', () => {
    const section = (name: string, html: string) =>
      `<div class=sect><div><div><div><h2>${name}</h2></div></div></div>${html}</div>`;
    const code = '<div class=synopsis><h2>Synopsis</h2><pre>kettle [ON | OFF]</pre></div>';
    const links = `<div class=sect><h2>Elsewhere</h2><ul><li>${link('one')}<li>${link('two')}</ul></div>`;
    const page = `<body><h1>Kettles</h1><div class=refs>${code}${section('What', '<p>It boils.</p>')}${section('Use', TEXT)}${section('Ends', '<p>It cools.</p>')}${links}</div>`;
    const headings = articleOf(page).match(/^## .*$/gm);
    expect(headings).toEqual(['## Synopsis', '## What', '## Use', '## Ends']);
  });

  it('is not one cell of a table with a head', () => {
    const rows = ['one', 'two'].map((name) => `<tr><td><p>kettle_${name}</p>${TEXT}<tr><td><p>It boils.</p>`);
    const table = `<table><thead><tr><th>Function</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
    const markdown = articleOf(`<body><div class=page><h1>Kettles</h1><p>There are two.</p>${table}</div>`);
    expect(markdown).toContain('There are two.');
    expect(markdown).toContain('kettle_two');
  });
});
