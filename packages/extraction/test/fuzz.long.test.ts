import { AppError } from '@gleaner/contracts';
import { createRandom, fuzzSeeds, type Random } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import {
  Budget,
  compileSelectors,
  type ExtractionPlan,
  extract,
  extractDefaults,
  parseDocument,
  type SelectorMap,
} from '../src/index.ts';

const SEEDS = fuzzSeeds(100);
const ROUNDS = 600;
const MAX_STEPS = 2_000_000;
const baseUrl = 'https://example.org/';

const SELECTOR_PIECES =
  `div p a b .x .y #i * [a] [a=b] [a~="b c" i] :is( :not( :has( :where( ) , > + ~ :nth-child( 2n+1 of
  :first-child :scope & :root :empty :lang(en) :dir(rtl) :checked :disabled :hover :: ::text ::html ::attr( ::all href
  | *| \\ \\31 " ' /* */ [ ] { } ( \u0000 \u00E9 \uD800 -- - 1 1a . # : ; < @ ! :contains( //div`.split(
    /\s+/,
  );

const HTML_PIECES =
  `<div> </div> <p> </p> <b class=x> </b> <a href=q id=i> </a> <table> <tr> <td> </table> <svg> </svg>
  <foreignObject> <math> <template> </template> <select> <option> <script> </script> <style> </style> <!-- --> <![CDATA[
  ]]> <noscript> </noscript> <textarea> </textarea> <form> <input> <br> <base href=//x> <body> <html lang=en> <title>
  </title> & &amp; &#0; &#xD800; \u0000 < > " ' / = text \u05D0 <plaintext> <frameset> <h1 dir=auto> <li> <ruby> <rt>`.split(
    /\s+/,
  );

const XML_PIECES =
  `<a> </a> <b x="1"> </b> <p:c xmlns:p="u"> </p:c> <d xmlns="v"/> <e/> <![CDATA[ ]]> <!-- --> <?pi ?> &amp; &e; &nbsp; &#65;
  &#0; text < > " ' <!DOCTYPE <!ENTITY e "x&e;"> ]> <html xmlns="http://www.w3.org/1999/xhtml"> </html> <template> </template>
  <?xml version="1.0"?> xml:lang="en" \uD800 \u0000`.split(/\s+/);

function randomText(random: Random, pieces: readonly string[], maxPieces: number): string {
  const count = random.below(maxPieces);
  return Array.from({ length: count }, () => random.pick(pieces) + (random.below(3) === 0 ? ' ' : '')).join(
    '',
  );
}

function randomSelectors(random: Random, depth = 0): SelectorMap {
  const names = ['a', 'b', 'toString', '$c', '__proto__'];
  const entries = Array.from({ length: 1 + random.below(3) }, () => {
    const selector =
      random.below(3) === 0
        ? random.pick(['div', 'p', '*', ':scope > *'])
        : randomText(random, SELECTOR_PIECES, 8);
    const isRecord = depth < 3 && random.below(4) === 0;
    const spec = isRecord
      ? { selector, all: random.below(2) === 0, fields: randomSelectors(random, depth + 1) }
      : selector;
    return [random.pick(names), spec];
  });
  return Object.fromEntries(entries) as SelectorMap;
}

/** Returns the result, or undefined if the work was rejected with an AppError other than INTERNAL_ERROR. */
function unlessRejected<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') return undefined;
    throw error;
  }
}

function isValue(value: unknown): boolean {
  if (value === null || typeof value === 'string') return true;
  if (Array.isArray(value)) return value.every((item) => item !== null && isValue(item));
  return typeof value === 'object' && Object.values(value).every(isValue);
}

describe('extraction from random selectors and pages', () => {
  it.each(SEEDS)('returns only values and AppErrors (seed %i)', (seed) => {
    const random = createRandom(seed);
    for (let round = 0; round < ROUNDS; round++) {
      const selectors = randomSelectors(random);
      const html = randomText(random, HTML_PIECES, 200);
      const plan = unlessRejected(() => compileSelectors(selectors));
      const document = parseDocument(html, { budget: new Budget({ maxSteps: MAX_STEPS }) });
      const read = (compiled: ExtractionPlan) =>
        extract(document, compiled, { baseUrl, budget: new Budget({ maxSteps: MAX_STEPS }) });
      const result = plan && unlessRejected(() => read(plan));
      if (result) {
        expect(Object.keys(result.data)).toEqual(Object.keys(selectors));
        expect(isValue(result.data)).toBe(true);
        expect(JSON.parse(JSON.stringify(result.data))).toStrictEqual(result.data);
      }
      expect(typeof extractDefaults(document, { baseUrl }).text).toBe('string');
    }
  });

  it.each(SEEDS)('returns only values for XML, well-formed or not (seed %i)', (seed) => {
    const random = createRandom(seed);
    const plan = compileSelectors({ texts: '*::all', html: '*::html::all', links: '*::attr(xml:lang)::all' });
    for (let round = 0; round < ROUNDS / 5; round++) {
      const inside = randomText(random, XML_PIECES, 12);
      const xml = random.below(2) === 0 ? `<r>${inside}</r>` : inside;
      const document = parseDocument(xml, { kind: 'xml', budget: new Budget({ maxSteps: MAX_STEPS }) });
      expect(isValue(extract(document, plan, { baseUrl }).data)).toBe(true);
      expect(typeof extractDefaults(document, { baseUrl }).text).toBe('string');
    }
  });

  it('reads the XML that it serialized as the same document', () => {
    const random = createRandom(11);
    const all = compileSelectors({ texts: '*::all', xml: '*::html::all' });
    let read = 0;
    for (let round = 0; round < 5000; round++) {
      const document = parseDocument(`<r>${randomText(random, XML_PIECES, 8)}</r>`, { kind: 'xml' });
      if (!document.isXml) continue;
      read++;
      const { data } = extract(document, all, { baseUrl });
      const again = parseDocument((data.xml as readonly string[])[0] ?? '', { kind: 'xml' });
      expect(extract(again, all, { baseUrl }).data).toEqual(data);
    }
    expect(read).toBeGreaterThan(500);
  });

  it('matches the same elements with a list as with its parts', () => {
    const random = createRandom(7);
    const simple = [
      'div',
      '.x',
      'p > b',
      'a:not([href])',
      ':has(> b)',
      '* + *',
      ':nth-child(2)',
      'td p',
      ':empty',
    ];
    for (let round = 0; round < 200; round++) {
      const document = parseDocument(randomText(random, HTML_PIECES, 150));
      const [left, right] = [random.pick(simple), random.pick(simple)];
      const count = (selector: string): number => {
        const { data } = extract(document, compileSelectors({ all: `${selector}::html::all` }), { baseUrl });
        return (data.all as readonly string[]).length;
      };
      const both = count(`:is(${left}):is(${right})`);
      expect(count(`${left}, ${right}`)).toBe(count(left) + count(right) - both);
      expect(count(`:not(${left})`)).toBe(count('*') - count(left));
    }
  });
});
