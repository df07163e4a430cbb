import { describe, expect, it } from '@jest/globals';
import { Double, Long, ObjectId } from 'mongodb';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** In the order of https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/ */
const IN_ORDER: readonly unknown[] = [
  ...[null, Number.NaN, Number.NEGATIVE_INFINITY, -1.5, new Double(0), 0.5],
  ...[1, Long.fromNumber(2), 2.00000000001, 9007199254740992],
  ...[Number.POSITIVE_INFINITY, '', 'A', 'a', 'a\0b', 'ab', '\uffee', '😀', {}, { a: 1 }, { a: 2 }, { b: 0 }],
  ...[
    new ObjectId('000000000000000000000001'),
    new ObjectId('ff0000000000000000000000'),
    false,
    true,
    new Date(-1),
    new Date(0),
    new Date(1e12),
  ],
];

/** Sorts, by index and in memory. */
export function describeSorts(bed: () => TestBed): void {
  const shuffled = () =>
    IN_ORDER.map((v, n) => ({ _id: n, v })).sort((a, b) => ((a._id * 7919) % 31) - ((b._id * 7919) % 31));
  const expected = IN_ORDER.map((_, n) => n);

  describe('a sort', () => {
    it.each([
      ['ascending in memory', undefined, 1],
      ['descending in memory', undefined, -1],
      ['ascending by an ascending index', 1, 1],
      ['descending by an ascending index', 1, -1],
      ['ascending by a descending index', -1, 1],
      ['descending by a descending index', -1, -1],
    ] as const)('puts values of all types in BSON order, %s', async (_name, indexed, direction) => {
      const { collection } = bed();
      if (indexed !== undefined) await collection.createIndex({ v: indexed });
      await collection.insertMany(shuffled() as never);
      const found = await collection.find().sort({ v: direction }).toArray();
      expect(found.map(({ _id }) => _id)).toEqual(direction === 1 ? expected : expected.toReversed());
    });

    it('takes the least element of an array ascending and the greatest descending', async () => {
      const { collection } = bed();
      await collection.insertMany([
        { _id: 1, v: [5, 1] },
        { _id: 2, v: 3 },
        { _id: 3, v: [2, 9] },
      ] as never);
      const ids = async (direction: 1 | -1) =>
        (await collection.find().sort({ v: direction }).toArray()).map(({ _id }) => _id);
      expect(await ids(1)).toEqual([1, 3, 2]);
      expect(await ids(-1)).toEqual([3, 1, 2]);
    });

    it('goes by several fields, and combines with skip and limit', async () => {
      const { collection } = bed();
      await collection.insertMany(Array.from({ length: 30 }, (_, n) => ({ a: n % 3, b: n })));
      const query = () => collection.find().sort({ a: -1, b: 1 }).skip(9).limit(2);
      const wanted = [
        { a: 2, b: 29 },
        { a: 1, b: 1 },
      ];
      expect(await query().toArray()).toMatchObject(wanted);
      await collection.createIndex({ a: -1, b: 1 });
      expect(await query().toArray()).toMatchObject(wanted);
    });

    it('refuses directions other than 1 and -1', async () => {
      const { collection } = bed();
      await collection.insertOne({});
      const attempt = bed().database.command({ find: collection.collectionName, sort: { a: 2 } });
      await expect(attempt).rejects.toMatchObject({ code: 15975 });
    });
  });
}
