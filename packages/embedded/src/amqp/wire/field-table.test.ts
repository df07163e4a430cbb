import { describe, expect, it } from '@jest/globals';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import {
  EMPTY_TABLE,
  type FieldTable,
  type FieldValue,
  integerOf,
  readTable,
  writeTable,
} from './field-table.ts';

const EVERY_TYPE: FieldTable = new Map<string, FieldValue>([
  ['t', { tag: 't', value: true }],
  ['b', { tag: 'b', value: -128 }],
  ['s', { tag: 's', value: -32_768 }],
  ['I', { tag: 'I', value: -2_147_483_648 }],
  ['l', { tag: 'l', value: -9_223_372_036_854_775_808n }],
  ['T', { tag: 'T', value: 18_446_744_073_709_551_615n }],
  ['d', { tag: 'd', value: Math.PI }],
  ['S', { tag: 'S', value: 'grün 🌱' }],
  [
    'A',
    {
      tag: 'A',
      value: [
        { tag: 'V', value: null },
        { tag: 'A', value: [] },
      ],
    },
  ],
  ['F', { tag: 'F', value: new Map([['inner', { tag: 't', value: false }]]) }],
  ['V', { tag: 'V', value: null }],
]);

describe('field tables', () => {
  it('come back with every type as they were written', () => {
    expect(readTable(new ByteReader(bytesOf(EVERY_TYPE)))).toEqual(EVERY_TYPE);
  });

  it.each([
    ['type x', [1, 0x61, 0x78, 0, 0, 0, 0]],
    ['not UTF-8', [1, 0x61, 0x53, 0, 0, 0, 1, 0xff]],
  ])('are refused with what is not served: %s', (problem, entry) => {
    const bytes = Buffer.from([0, 0, 0, entry.length, ...entry]);
    expect(() => readTable(new ByteReader(bytes))).toThrow(problem);
  });

  it('are refused cut short, with an unknown type, and nested without end', () => {
    const whole = bytesOf(EVERY_TYPE);
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => readTable(new ByteReader(whole.subarray(0, length)))).toThrow('past the end');
    }
    const unknown = Buffer.from([0, 0, 0, 3, 1, 0x61, 0x7a]);
    expect(() => readTable(new ByteReader(unknown))).toThrow('unknown field table type "z"');
    let nested: FieldTable = EMPTY_TABLE;
    for (let depth = 0; depth < 70; depth += 1) nested = new Map([['n', { tag: 'F', value: nested }]]);
    expect(() => readTable(new ByteReader(bytesOf(nested)))).toThrow('nest deeper');
  });

  it('give whole numbers of every width alike', () => {
    expect(['b', 's', 'I'].map((tag) => integerOf({ tag: tag as 'b', value: 5 }))).toEqual([5, 5, 5]);
    expect(integerOf({ tag: 'l', value: 5n })).toBe(5);
    expect(integerOf({ tag: 'd', value: 5 })).toBeUndefined();
  });
});

function bytesOf(table: FieldTable): Buffer {
  const writer = new ByteWriter(1);
  writeTable(writer, table);
  return writer.take();
}
