import { createRandom, type Random } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { query } from 'json-p3';
import { Budget } from '../src/budget.ts';
import { compileJsonPath } from '../src/json/compile-json-path.ts';
import { findJson } from '../src/json/find-json.ts';
import type { JsonValue } from '../src/json/visit-json.ts';

const ROUNDS = 5000;

const MAX_FILTER_DEPTH = 2;

describe('findJson', () => {
  it('finds the same values as json-p3 with random paths in random documents', () => {
    const random = createRandom(9535);
    let found = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const value = randomValue(random, 3);
      const text = `$${randomSegments(random, MAX_FILTER_DEPTH)}`;
      const path = compileJsonPath(text);
      if (typeof path === 'string') throw new Error(`${text}: ${path}`);
      const values = findJson(path, value, new Budget());
      expect({ text, value, values }).toEqual({ text, value, values: queryByLibrary(text, value) });
      found += values.length;
    }
    expect(found).toBeGreaterThan(ROUNDS / 2);
  });
});

function queryByLibrary(text: string, value: JsonValue): unknown[] {
  return query(text, value as Parameters<typeof query>[1]).values();
}

const SCALARS: readonly JsonValue[] = [0, 1, -1, 2.5, 'a', 'b', '\u{1f600}', '', true, false, null];
const NAMES = ['a', 'b', 'c', ''];

function randomValue(random: Random, depth: number): JsonValue {
  const size = random.below(4);
  if (depth === 0 || random.below(6) === 0) return random.pick(SCALARS);
  const values = Array.from({ length: size }, () => randomValue(random, depth - 1));
  if (random.below(2) === 0) return values;
  return Object.fromEntries(values.map((value) => [random.pick(NAMES), value]));
}

const SEGMENTS =
  `.a .b .* ..a ..* ..[0] [0] [-1] [*] [1:] [:-1] [::2] [::-1] [-2::-1] ["a","b"] [0,0] [""]`.split(' ');

function randomSegments(random: Random, depth: number): string {
  const segments = Array.from({ length: 1 + random.below(2) }, () => {
    if (depth === 0 || random.below(3) > 0) return random.pick(SEGMENTS);
    return `${random.pick(['', '..'])}[?${randomTest(random, depth - 1)}]`;
  });
  return segments.join('');
}

function randomTest(random: Random, depth: number): string {
  const kind = depth === 0 ? 0 : random.below(4);
  const [left, right] = [randomOperand(random, depth), randomOperand(random, depth)];
  if (kind === 0) return `${left} ${random.pick(['==', '!=', '<', '<=', '>', '>='])} ${right}`;
  if (kind === 1) return `${pickStart(random, depth)}${randomSegments(random, depth)}`;
  if (kind === 2) return `!(${randomTest(random, depth - 1)})`;
  const operator = random.pick(['&&', '||']);
  return `(${randomTest(random, depth - 1)} ${operator} ${randomTest(random, depth - 1)})`;
}

const LITERALS = ['0', '1', '-1', '2.5', '"a"', '"b"', '"\u{1f600}"', '""', 'true', 'null'];

function randomOperand(random: Random, depth: number): string {
  if (random.below(2) === 0) return random.pick(LITERALS);
  const steps = Array.from({ length: random.below(3) }, () =>
    random.pick(['.a', '.b', '[0]', '[-1]', '["c"]']),
  );
  return `${pickStart(random, depth)}${steps.join('')}`;
}

/** Paths from the root are left to the outermost filters: in nested ones json-p3 begins them at the tested node. */
function pickStart(random: Random, depth: number): string {
  return depth === MAX_FILTER_DEPTH - 1 ? random.pick(['@', '$']) : '@';
}
