import { describe, expect, it } from '@jest/globals';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';

const DOCUMENT = { _id: 1, a: 1, b: { c: 2, d: 3 }, list: [{ x: 1, y: 2 }, { x: 3 }, 4], n: [1, 2, 3, 4] };

const CASES: readonly (readonly [string, TestDoc, TestDoc])[] = [
  ['includes fields and _id', { a: 1 }, { _id: 1, a: 1 }],
  ['includes without _id', { a: 1, _id: 0 }, { a: 1 }],
  ['excludes fields', { list: 0, n: 0, b: 0 }, { _id: 1, a: 1 }],
  ['reaches into documents', { 'b.c': 1 }, { _id: 1, b: { c: 2 } }],
  ['excludes inside documents', { 'b.c': 0, list: 0, n: 0 }, { _id: 1, a: 1, b: { d: 3 } }],
  ['reaches into arrays and drops scalars there', { 'list.x': 1 }, { _id: 1, list: [{ x: 1 }, { x: 3 }] }],
  ['computes', { a: 1, sum: { $add: ['$a', '$b.c'] } }, { _id: 1, a: 1, sum: 3 }],
  ['renames', { _id: 0, other: '$b.d' }, { other: 3 }],
];

/** Projections: https://www.mongodb.com/docs/manual/tutorial/project-fields-from-query-results/ */
export function describeProjections(bed: () => TestBed): void {
  describe('a projection', () => {
    it.each(CASES)('%s', async (_name, projection, expected) => {
      const { collection } = bed();
      await collection.insertOne(DOCUMENT as never);
      expect(await collection.findOne({}, { projection })).toEqual(expected);
    });

    it.each([
      ['a mix of inclusion and exclusion', { a: 1, b: 0 }, 31254],
      ['a mix of exclusion and inclusion', { a: 0, b: 1 }, 31253],
      ['two paths that collide', { b: 1, 'b.c': 1 }, 31249],
    ])('refuses %s', async (_name, projection, code) => {
      const { collection } = bed();
      await collection.insertOne(DOCUMENT as never);
      await expect(collection.findOne({}, { projection: projection as never })).rejects.toMatchObject({
        code,
      });
    });
  });
}
