import { expect, it } from '@jest/globals';
import { parseFilter } from '../filter/parse-filter.ts';
import { parseIndexSpec } from '../indexes/parse-index-spec.ts';
import { planQuery } from './plan-query.ts';

const NOON = new Date('2026-01-01T12:00:00Z');
const LONG = 'long '.repeat(500);
const INDEXES = [
  { spec: parseIndexSpec({ key: { text: 1, at: 1 }, name: 'text' }), isMultikey: false },
  { spec: parseIndexSpec({ key: { n: -1 }, name: 'n' }), isMultikey: false },
  { spec: parseIndexSpec({ key: { at: 1 }, name: 'at' }), isMultikey: false },
  { spec: parseIndexSpec({ key: { tags: 1 }, name: 'tags' }), isMultikey: true },
];

it.each([
  ['a string', { text: 'b' }, true],
  ['several strings, one of them twice', { text: { $in: ['b', 'c', 'b'] } }, true],
  ['none of no strings', { text: { $in: [] } }, true],
  ['a range of strings', { text: { $gt: 'a', $lte: 'c' } }, true],
  ['a number', { n: 1 }, true],
  ['a day', { at: { $gte: NOON } }, true],
  ['two fields', { text: { $in: ['a', 'b'] }, at: { $lt: NOON } }, true],
  ['a range of numbers, which a NaN is not in', { n: { $lt: 100 } }, false],
  ['null and missing', { n: null }, false],
  ['an array', { tags: 'x' }, false],
  ['a string that is cut in the key', { text: LONG }, false],
  ['what is not a string', { text: { $ne: 'a' } }, false],
  ['one or the other', { $or: [{ text: 'a' }, { n: 1 }] }, false],
  ['more than the index knows', { text: 'a', other: 1 }, false],
])('keys alone tell the number of documents with %s, or not', (_what, filter, isExact) => {
  const plan = planQuery(parseFilter(filter), [], INDEXES);
  expect(plan.kind === 'index' && plan.isExact).toBe(isExact);
});
