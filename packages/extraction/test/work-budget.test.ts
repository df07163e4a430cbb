import { describe, expect, it } from '@jest/globals';
import {
  Budget,
  type DocumentKind,
  extract,
  parseDocument,
  planSelectors,
  type SelectorMap,
} from '../src/index.ts';

/** Steps that the event loop may spend on a page; each page here takes longer than it may hold the loop. */
const MAX_INLINE_STEPS = 1_000_000;

/** A small page as the event loop reads it. */
const MAX_INLINE_CHARS = 64 * 1024;

function fill(piece: string, chars = MAX_INLINE_CHARS): string {
  return piece.repeat(chars / piece.length);
}

/** Returns the selectors of as many equal fields as a request takes. */
function fields(selector: SelectorMap[string]): SelectorMap {
  return Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`field${index}`, selector]));
}

const NESTED_JSON = `[${fill(`${'{"a":['.repeat(200)}1${']}'.repeat(200)},`)}1]`;
const LONG_BASE = `<base href="https://shop.example/${'p/'.repeat(10_000)}">`;

const CASES: readonly [what: string, kind: DocumentKind, page: string, selectors: SelectorMap][] = [
  ['the escapes of Markdown', 'html', `<p>${fill('*_')}`, fields({ selector: 'p', type: 'markdown' })],
  [
    'URLs with a long base',
    'html',
    LONG_BASE + fill('<a href=/x>x</a>', 40_000),
    { links: { selector: 'a::attr(href)', all: true, absolute: true } },
  ],
  [
    'patterns of a page that backtrack',
    'html',
    `<input pattern="(a+)+b" value="${'a'.repeat(40)}">`,
    { invalid: ':invalid::attr(value)' },
  ],
  ['nested JSON as text', 'json', NESTED_JSON, { all: { json: '$..a', all: true, type: 'string' } }],
  [
    'nested JSON that is not a number',
    'json',
    NESTED_JSON,
    { all: { json: '$..a', all: true, type: 'number' } },
  ],
];

describe('the budget of the event loop', () => {
  it.each(CASES)('does not allow %s', (_what, kind, page, selectors) => {
    const budget = new Budget({ maxSteps: MAX_INLINE_STEPS });
    const read = () => {
      const document = parseDocument(page, { kind, budget });
      return extract(document, planSelectors(selectors), { baseUrl: 'https://shop.example/', budget });
    };
    expect(read).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }));
    expect(budget.isSpent).toBe(true);
  });
});
