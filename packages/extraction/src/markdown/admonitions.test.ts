import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { extractFormats, readMarkdown } from '../formats/extract-formats.ts';
import { planFormats } from '../formats/plan-formats.ts';

const baseUrl = 'https://example.org/a/';
const markdown = (html: string): string =>
  readMarkdown(parseDocument(html), { baseUrl, budget: new Budget() });

/** Notes as documentation systems write them, each with the title "Note" and the text "Mind the gap." */
const NOTES: readonly (readonly [system: string, html: string])[] = [
  ['Sphinx', '<div class="admonition note"><p class="admonition-title">Note</p> <p>Mind the gap.</p></div>'],
  ['DocBook', '<div class="note"><h3 class="title">Note</h3><p>Mind the gap.</p></div>'],
  [
    'DocBook with pictures',
    '<div class="note"><table><tr><td rowspan=2><img alt="[Note]" src=n.png></td><th>Note</th></tr><tr><td><p>Mind the gap.</p></table></div>',
  ],
  [
    'Docusaurus',
    '<div class="theme-admonition theme-admonition-note admonition_xJq3 alert alert--secondary"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg><title>i</title></svg></span>Note</div><div class="admonitionContent_BuS1"><p>Mind the gap.</p></div></div>',
  ],
  [
    'Docusaurus 2',
    '<div class="admonition admonition-note alert alert--info"><div class="admonition-heading"><h5><span class="admonition-icon"><svg></svg></span>Note</h5></div><div class="admonition-content"><p>Mind the gap.</p></div></div>',
  ],
  [
    'GitHub',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg></svg>Note</p><p>Mind the gap.</p></div>',
  ],
  [
    'mdBook',
    '<blockquote class="blockquote-tag blockquote-tag-note"><p class="blockquote-tag-title"><svg></svg>Note</p><p>Mind the gap.</p></blockquote>',
  ],
  ['details of MkDocs', '<details class=note><summary>Note</summary><p>Mind the gap.</p></details>'],
  [
    'Asciidoctor with fonts',
    '<div class="admonitionblock note"><table><tr><td class=icon><i class="fa icon-note" title="Note"></i></td><td class=content>Mind the gap.</td></tr></table></div>',
  ],
  [
    'Asciidoctor',
    '<div class="admonitionblock note"><table><tr><td class=icon><div class=title>Note</div></td><td class=content>Mind the gap.</td></tr></table></div>',
  ],
  [
    'VitePress',
    '<div class="note custom-block"><p class="custom-block-title">Note</p><p>Mind the gap.</p></div>',
  ],
  [
    'Starlight',
    '<aside class="starlight-aside starlight-aside--note"><p class="starlight-aside__title"><svg></svg>Note</p><section class="starlight-aside__content"><p>Mind the gap.</p></section></aside>',
  ],
  ['DocFX', '<div class="NOTE"><h5>Note</h5><p>Mind the gap.</p></div>'],
  ['a title of its kind', '<div class="note"><p>Note</p><p>Mind the gap.</p></div>'],
  [
    'Bootstrap',
    '<div class="alert alert-info" role="alert"><h4 class="alert-heading">Note</h4>Mind the gap.</div>',
  ],
  [
    'Quarto',
    '<div class="callout callout-style-default callout-note"><div class="callout-header"><div class="callout-icon-container"><i class="callout-icon"></i></div><div class="callout-title-container">Note</div></div><div class="callout-body">Mind the gap.</div></div>',
  ],
];

/** Boxes that resemble notes. */
const OTHERS: readonly (readonly [name: string, html: string, markdown: string])[] = [
  ['a card', '<div class="product-info"><h3 class="title">Kettle</h3><p>5</p></div>', '### Kettle\n\n5'],
  ['a card of one class', '<div class="info"><h3 class="title">Kettle</h3><p>5</p></div>', '### Kettle\n\n5'],
  [
    'a post',
    '<div class="note"><h2 class="title">Kettle</h2><p>It boils.</p></div>',
    '## Kettle\n\nIt boils.',
  ],
  [
    'details that look like a message',
    '<details class="alert alert--info"><summary>More</summary><p>It boils.</p></details>',
    '**More**\n\nIt boils.',
  ],
  ['a message', '<div class="alert alert-info">Sold out</div>', 'Sold out'],
  ['a text with the class of a note', '<div class="note">Sold out</div>', 'Sold out'],
];

describe('notes of documentation systems', () => {
  it.each(NOTES)('are quotes with a title: %s', (_system, html) => {
    expect(markdown(`<p>a</p>${html}<p>b`)).toBe('a\n\n> **Note**\n>\n> Mind the gap.\n\nb');
  });

  it('are quotes without a title where the page shows none', () => {
    expect(markdown('<div class="warning"><p>Mind the gap.</p></div>')).toBe('> Mind the gap.');
  });

  it('are quotes with the title in the text', () => {
    expect(markdown('<div class="notecard note"><p><strong>Note:</strong> Mind it.</p></div>')).toBe(
      '> **Note:** Mind it.',
    );
  });

  it('nest in items and in each other', () => {
    const note = (text: string) =>
      `<div class="admonition tip"><p class="admonition-title">Tip</p>${text}</div>`;
    expect(markdown(`<ol><li>a${note(`b${note('c')}`)}</ol>`).split('\n')).toEqual([
      '1. a',
      '',
      '   > **Tip**',
      '   >',
      '   > b',
      '   >',
      '   > > **Tip**',
      '   > >',
      '   > > c',
    ]);
  });

  it('fit into the cell of a table', () => {
    const note = '<div class="admonition note"><p class="admonition-title">Note</p><p>x</p></div>';
    expect(markdown(`<table><tr><th>a<th>b<tr><td>${note}<td>c</table>`)).toContain('| **Note**<br>x | c |');
  });

  it.each(OTHERS)('are not %s', (_name, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each(['article', { type: 'markdown', main: true }] as const)('are part of the content: %j', (format) => {
    const text = 'The kettle boils, whistles, and steams, as long as there is water in it. '.repeat(8);
    const aside =
      '<aside class="aside aside--note"><p class="aside__title">Note</p><p>Mind, and mend, the gap.</p></aside>';
    const alert = '<div class="alert alert-tip" role="alert"><h4>Tip</h4><p>Use a lid.</p></div>';
    const page = `<main><h1>Kettles</h1><p>${text}</p>${aside}<p>${text}</p>${alert}<p>${text}</p></main>`;
    const { json } = extractFormats(parseDocument(page), planFormats([format]), { baseUrl });
    const [value] = Object.values(JSON.parse(json)) as [string | { markdown: string }];
    const written = typeof value === 'string' ? value : value.markdown;
    expect(written).toContain('\n\n> **Note**\n>\n> Mind, and mend, the gap.\n\n');
    expect(written).toContain('\n\n> **Tip**\n>\n> Use a lid.\n\n');
  });
});
