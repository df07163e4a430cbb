import { describe, expect, it } from '@jest/globals';
import { type Json, rest, stringify, valueAt } from './json.ts';
import { fitValue } from './render-answer.ts';

/** Reads a value to its end by following the cuts, and returns every text or entry that a path gave. */
function readOn(value: Json, budget: number): Map<string, Json[]> {
  const read = new Map<string, Json[]>();
  const waiting = [...fitValue(value, budget).cuts];
  for (let steps = 0; waiting.length > 0; steps += 1) {
    if (steps > 5000) throw new Error('Reading on does not end.');
    const { path, from } = waiting.shift() as { path: string; from: number };
    const fitted = fitValue(rest(valueAt(value, path), from), budget, path);
    expect(stringify(fitted.value).length).toBeLessThanOrEqual(budget);
    read.set(path, [...(read.get(path) ?? []), fitted.value]);
    for (const cut of fitted.cuts) {
      if (cut.path === path) waiting.push({ ...cut, from: cut.from + from });
    }
  }
  return read;
}

describe('fitValue', () => {
  it('leaves a value alone that fits', () => {
    const value = { a: [1, 2], b: 'text' };
    expect(fitValue(value, 100)).toEqual({ value, cuts: [] });
  });

  it('cuts a list between two entries', () => {
    const list = Array.from({ length: 100 }, (_, index) => ({ title: `Book ${index}` }));
    const { value, cuts } = fitValue({ books: list }, 500);
    const taken = (value as { books: Json[] }).books;
    expect(taken).toEqual(list.slice(0, taken.length));
    expect(cuts).toEqual([{ path: '/books', from: taken.length, total: 100 }]);
  });

  it('cuts a text between two words', () => {
    const { value, cuts } = fitValue('word '.repeat(100), 52);
    expect(value).toBe('word '.repeat(10));
    expect(cuts).toEqual([{ path: '', from: 50, total: 500 }]);
  });

  it('gives every part of an object room, and what small parts leave to the large ones', () => {
    const object = { title: 'A', text: 'x '.repeat(5000), html: 'y '.repeat(5000) };
    const { value, cuts } = fitValue(object, 2000);
    const { title, text, html } = value as Record<string, string>;
    expect([title, text?.length, html?.length]).toEqual(['A', expect.any(Number), expect.any(Number)]);
    expect(Math.abs((text?.length ?? 0) - (html?.length ?? 0))).toBeLessThan(50);
    expect(cuts.map(({ path }) => path)).toEqual(['/text', '/html']);
  });

  it('cuts an entry that is too long by itself, and goes on after it', () => {
    const { value, cuts } = fitValue([{ text: 'a '.repeat(1000) }, { text: 'b' }], 600);
    expect((value as Json[]).length).toBe(1);
    expect(cuts).toEqual([
      { path: '/0/text', from: expect.any(Number), total: 2000 },
      { path: '', from: 1, total: 2 },
    ]);
  });

  it('never divides a character', () => {
    for (let budget = 10; budget < 40; budget += 1) {
      const { value } = fitValue('😀'.repeat(50), budget);
      expect((value as string).isWellFormed()).toBe(true);
    }
  });

  it.each<[string, Json]>([
    ['a long text without spaces', 'x'.repeat(10_000)],
    ['a text of quotes and line ends', '"\n\\'.repeat(3000)],
    ['a text of hidden characters', '\u{e0041}'.repeat(2000)],
    ['an object of many fields', Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`key${i}`, i]))],
    ['an object with a name that is too long', { ['k'.repeat(5000)]: 1, b: 'x'.repeat(3000) }],
    ['lists of lists', Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 'text'))],
    ['records with long fields', Array.from({ length: 5 }, () => ({ html: 'x '.repeat(2000), n: 1 }))],
    ['deep nesting', Array.from({ length: 60 }).reduce<Json>((inner) => ({ a: inner }), 'x'.repeat(5000))],
  ])('can be read to the end, within the budget at every step: %s', (_what, value) => {
    expect(() => readOn(value, 700)).not.toThrow();
  });

  it('gives a text back whole when its parts are joined', () => {
    const text = Array.from({ length: 4000 }, (_, index) => `Line ${index} "quoted"`).join('\n');
    const first = fitValue({ text }, 900).value as { text: string };
    const parts = readOn({ text }, 900).get('/text') as string[];
    expect([first.text, ...parts].join('')).toBe(text);
  });
});

describe('stringify', () => {
  it('shows characters that a person would not see', () => {
    const hidden = 'a\u200bb\u202ec\u{e0041}';
    expect(stringify({ hidden })).toBe('{"hidden":"a\\u200bb\\u202ec\\udb40\\udc41"}');
    expect(JSON.parse(stringify({ hidden }))).toEqual({ hidden });
  });
});
