import { createRandom, fuzzSeeds, type Random } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { Budget } from '../../src/budget.ts';
import type { Node } from '../../src/dom/node.ts';
import { parseDocument } from '../../src/dom/parse-document.ts';
import { readMarkdown } from '../../src/formats/extract-formats.ts';
import { readableText } from '../../src/read/text-of.ts';

const SEEDS = fuzzSeeds(20);
const PAGES_PER_SEED = 100;
const MAX_PIECES = 30;

const PIECES = [
  ...['word', 'a', '1', ' ', ' ', '\n', '&nbsp;', 'ü', '😀', '.', ':', '"', '(', ')', '{', '}'],
  ...[
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '```',
    '#',
    '# ',
    '>',
    '- ',
    '+ ',
    '1. ',
    '1) ',
    '---',
    '===',
    '|',
  ],
  ...[
    '[',
    ']',
    '](',
    ']:',
    '[^1]',
    '[ ] ',
    '!',
    '![',
    '\\',
    '&lt;',
    '&lt;b>',
    '&lt;!--',
    '&amp;',
    '&amp;amp;',
  ],
  ...[
    '&amp;#35;',
    '<br>',
    '<!---->',
    '    ',
    '\t',
    ':-',
    '=',
    '$',
    '@',
    'https://x.org/',
    'www.x.org',
    'a@b.cd',
  ],
  ...[
    '<b>',
    '</b>',
    '<i>',
    '</i>',
    '<s>',
    '</s>',
    '<code>',
    '</code>',
    '<sup>',
    '</sup>',
    '<a href=x>',
    '</a>',
  ],
  ...[
    '<p>',
    '<div>',
    '</div>',
    '<h2>',
    '</h2>',
    '<ul>',
    '<ol start=7>',
    '<li>',
    '</ul>',
    '</ol>',
    '<pre>',
    '</pre>',
  ],
  ...['<blockquote>', '</blockquote>', '<hr>', '<dl>', '<dt>', '<dd>', '</dl>', '<input type=checkbox>'],
  ...['<table>', '<tr>', '<td>', '<th>', '<td colspan=2>', '<td rowspan=2>', '</table>', '<span>', '</span>'],
];

function randomPage(random: Random): string {
  return Array.from({ length: random.below(MAX_PIECES) }, () => random.pick(PIECES)).join('');
}

/** Returns the characters of the readable text, without white space. */
function charactersOf(html: string): string {
  const body = parseDocument(html).elements.find(({ name }) => name === 'body') as Node;
  return readableText(body, Number.POSITIVE_INFINITY, new Budget()).replace(/\s+/g, '');
}

function readAgain(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

describe('markdown of random pages', () => {
  it.each(SEEDS)('gives their text again (seed %i)', (seed) => {
    const random = createRandom(seed);
    for (let count = 0; count < PAGES_PER_SEED; count++) {
      const html = `<body>${randomPage(random)}`;
      const context = { baseUrl: 'https://example.org/', budget: new Budget() };
      const markdown = readMarkdown(parseDocument(html), context) as string;
      const text = charactersOf(readAgain(markdown));
      expect({ html, markdown, text }).toEqual({ html, markdown, text: charactersOf(html) });
    }
  });
});
