import { AppError } from '@gleaner/contracts';
import { createRandom, type Random } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import {
  Budget,
  compileSelectors,
  type ExtractionPlan,
  extract,
  parseDocument,
  type SelectorMap,
} from '../src/index.ts';

const baseUrl = 'https://example.org/';

/** Returns the result, or undefined if the work was rejected with one of the codes. */
function unlessRejected<T>(codes: readonly string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

const TEXTS =
  `p .card script table * ::text p::attr(a) p::all :scope $ $.a $..* $[*] $.a[?@.b>1] (\\d+) (?i)x .* ( [ {
  de de-DE EUR eur UTC Europe/Berlin dd.MM.yyyy collapse keep text`.split(/\s+/);
const TYPES =
  `string number integer price boolean date datetime url json table rows markdown count text`.split(' ');

function randomJson(random: Random, depth: number): unknown {
  const kind = random.below(depth > 3 ? 5 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random.below(2) === 0;
  if (kind === 2) return random.pick([0, -1, 1.5, 1e300]);
  if (kind <= 4) return random.pick(TEXTS);
  const size = random.below(4);
  if (kind === 5) return Array.from({ length: size }, () => randomJson(random, depth + 1));
  return randomSpec(random, depth + 1);
}

const LIKELY: Readonly<Record<string, (random: Random, depth: number) => unknown>> = {
  selector: (random) => random.pick(['p', '.card', 'script', 'table', '*', ':scope', 'p::attr(a)', 'b::all']),
  all: (random) => random.below(2) === 0,
  absolute: () => false,
  fields: (random, depth) =>
    Object.fromEntries(['a', 'b'].map((name) => [name, randomSpec(random, depth + 1)])),
  whitespace: (random) => random.pick(['collapse', 'keep']),
  exclude: (random) => random.pick(['b', ':scope > b', '.card']),
  json: (random) => random.pick(['$', '$.a', '$..*', '$[*]', '$.a[0].b']),
  pattern: (random) => random.pick(['\\d+', '(?i)(x)|a', '(a*)*b', '.*', '(?s).{0,100}']),
  type: (random) => random.pick(TYPES),
  default: randomJson,
  required: (random) => random.below(3) === 0,
  locale: (random) => random.pick(['de', 'en-US', 'ar']),
  currency: (random) => random.pick(['EUR', 'JPY']),
  format: (random) => random.pick(['dd.MM.yyyy', 'yyyy-MM-dd HH:mm']),
  timezone: (random) => random.pick(['UTC', 'Europe/Berlin']),
};

/** Returns an object with a few of the known keys, mostly with values of their types. */
function randomSpec(random: Random, depth: number): unknown {
  if (depth > 5) return 'p';
  const keys = Object.entries(LIKELY).filter(([key]) => random.below(key === 'selector' ? 2 : 7) === 0);
  const spec = keys.map(([key, likely]) => [
    key,
    random.below(40) === 0 ? randomJson(random, depth) : likely(random, depth),
  ]);
  return random.below(20) === 0 ? randomJson(random, depth + 1) : Object.fromEntries(spec);
}

const PAGES = [
  `<p a=1 datetime=2024-01-02>1.234,50 € on 03/04/2024</p><p a='{"a":[{"b":2}]}'>x <b>9</b></p><div class=card><p>
   <b>a</b></div><table><tr><th>A<td>1</table><script>{"a":[{"b":"1"},{"b":null}]}</script>`,
  '{"a":[{"b":1,"a":{"a":[]}},{"b":"2024-01-02"}]}',
  '',
];

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  return typeof value === 'object' && Object.values(value).every(isJson);
}

describe('the object form', () => {
  it.each(Array.from({ length: 8 }, (_, index) => 500 + index))(
    'is accepted or rejected, and returns JSON (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      const documents = PAGES.map((page, index) =>
        parseDocument(page, { kind: index === 1 ? 'json' : 'html' }),
      );
      let planned = 0;
      for (let round = 0; round < 500; round++) {
        const selectors = { f: randomSpec(random, 0), g: randomJson(random, 0) } as SelectorMap;
        const field = { f: randomSpec(random, 0) } as SelectorMap;
        for (const given of [selectors, field]) {
          const plan = unlessRejected(['INVALID_SELECTOR'], () => compileSelectors(given));
          if (!plan) continue;
          planned++;
          expect(structuredClone(plan)).toEqual(plan);
          for (const document of documents) checkResult(plan, document);
        }
      }
      expect(planned).toBeGreaterThan(20);
    },
  );

  function checkResult(plan: ExtractionPlan, document: ReturnType<typeof parseDocument>): void {
    const budget = new Budget({ maxSteps: 1_000_000 });
    const codes = ['UNSUPPORTED_CONTENT', 'REQUIRED_FIELD_MISSING'];
    const result = unlessRejected(codes, () => extract(document, plan, { baseUrl, budget }));
    if (!result) return;
    expect(isJson(result.data)).toBe(true);
    for (const { message } of result.warnings) expect(message.length).toBeLessThan(1000);
  }

  it.each([[[]], [null], [5], ['p'], [{ f: [] }], [{ f: { selector: 'p', default: nested(100_000) } }]])(
    'is rejected as INVALID_SELECTOR for any other JSON',
    (selectors) => {
      const plan = unlessRejected(['INVALID_SELECTOR'], () => compileSelectors(selectors as SelectorMap));
      expect(plan).toBeUndefined();
    },
  );
});

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

const PIECES =
  `a b ab . \\w \\W [ab] [^a] ( (?: ) | * + ? *? +? {2,50} {0,500} {20} ^ $ \\b \\B (?i) \\pL s z (?s)
  [^\\pL\\d] (a*)* (a|a?)+ (.*.*)* (x+x+)+y`.split(/\s+/);

function randomPattern(random: Random): string {
  const pattern = Array.from({ length: 1 + random.below(14) }, () => random.pick(PIECES)).join('');
  const open = pattern.split('(').length - pattern.split(')').length;
  return pattern + ')'.repeat(Math.max(0, open));
}

describe('patterns', () => {
  it('are bounded by the budget on 64 KiB of text, whatever they are', () => {
    const random = createRandom(31);
    const size = 64 * 1024;
    const texts = [
      'a'.repeat(size),
      Array.from({ length: size }, () => random.pick(['a', 'b'])).join(''),
      Array.from({ length: size }, () => random.pick(['a', 'é', '中', 'ſ', 'K', ' '])).join(''),
    ];
    const documents = texts.map((text) => parseDocument(text, { kind: 'text' }));
    const counts = { matched: 0, rejected: 0, spent: 0 };
    while (counts.matched < 1000) {
      const spec = { selector: 'pre', pattern: randomPattern(random) };
      const plan = unlessRejected(['INVALID_SELECTOR'], () => compileSelectors({ f: spec }));
      if (!plan) {
        counts.rejected++;
        continue;
      }
      const budget = new Budget({ maxSteps: 500_000 });
      const result = unlessRejected(['UNSUPPORTED_CONTENT'], () =>
        extract(random.pick(documents), plan, { baseUrl, budget }),
      );
      if (!result) counts.spent++;
      else expect(result.data.f === null || typeof result.data.f === 'string').toBe(true);
      counts.matched++;
    }
    expect(counts.spent).toBeGreaterThan(50);
    expect(counts.spent).toBeLessThan(950);
    expect(counts.rejected).toBeGreaterThan(100);
  });
});
