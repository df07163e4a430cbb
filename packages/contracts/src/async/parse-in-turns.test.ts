import { describe, expect, it } from '@jest/globals';
import { parseInTurns } from './parse-in-turns.ts';

const nested = (depth: number): unknown =>
  depth === 0 ? 'end' : [{ a: depth, b: nested(depth - 1) }, depth];
const VALUES: Readonly<Record<string, string>> = {
  'a list of lists': JSON.stringify(Array.from({ length: 40 }, (_, index) => Array(index).fill([]))),
  records: JSON.stringify({
    cards: Array.from({ length: 30 }, (_, id) => ({ id, price: { amount: id / 3 } })),
    n: null,
  }),
  'texts with quotes and backslashes': JSON.stringify({
    '\\"': ['\\', '"', '\\\\"', ',]}', '[{'],
    '': '\\\\\\"',
  }),
  'names of numbers between others': '{"b":{"x":[1,2]},"5":{"y":[3,{"z":4}]},"a":[6],"1":{}}',
  'names of prototypes': '{"__proto__":{"a":[1,{"__proto__":[2]}]},"constructor":{"__proto__":3}}',
  'names that are there twice': '{"a":{"b":[1]},"a":{"c":[2]},"d":[{"e":1,"e":[2]}]}',
  'white space': JSON.stringify({ a: [1, { b: [true, false, null] }], c: { d: -1.5e-7 } }, null, 2),
  'empty values': '[[],{},"",[{}],{"a":{}},[[[]]]]',
  'values in one another': JSON.stringify(nested(60)),
  'one text': JSON.stringify('a "text" '.repeat(20)),
  'one number': '12345678901234567890',
};

describe('parseInTurns', () => {
  it.each(Object.entries(VALUES))(
    'reads %s as JSON.parse does, in pieces of whatever size',
    async (_name, text) => {
      const sizes = Array.from({ length: 60 }, (_, size) => size);
      for (const size of sizes) {
        const value = await parseInTurns(text, undefined, size);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
      }
    },
  );

  it('lets other work go first after each piece', async () => {
    let turns = 0;
    const text = JSON.stringify(Array.from({ length: 1000 }, () => [1, 2, 3]));
    await parseInTurns(
      text,
      async () => {
        turns += 1;
      },
      100,
    );
    expect(turns).toBeGreaterThan(text.length / 200);
  });

  it('reads what nests deep without reading it again at each level', async () => {
    const depth = 200_000;
    let value = await parseInTurns('['.repeat(depth) + ']'.repeat(depth), async () => {}, 1000);
    let found = 0;
    for (; Array.isArray(value); value = value[0]) found += 1;
    expect(found).toBe(depth);
  });
});
