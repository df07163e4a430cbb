import { describe, expect, it } from '@jest/globals';
import { Binary, BSON, BSONRegExp, Double, Int32, Long, ObjectId, UUID } from 'mongodb';
import type { TestBed } from '../describe-mongo-conformance.ts';

const { EJSON } = BSON;
const LARGE = '-9223372036854775808';

const VALUES: readonly (readonly [string, unknown])[] = [
  ['a 32-bit integer', new Int32(-5)],
  ['a 64-bit integer', Long.fromString(LARGE)],
  ['a small 64-bit integer', Long.fromNumber(5)],
  ['a double', new Double(1.5)],
  ['a double without a fraction', new Double(3)],
  ['negative zero', new Double(-0)],
  ['infinity', new Double(Number.POSITIVE_INFINITY)],
  ['a string with NUL and astral characters', 'a\0😀'],
  ['an ObjectId', new ObjectId()],
  ['a date before 1970', new Date(-62135596800000)],
  ['binary data', new Binary(Buffer.from([0, 1, 255]), 0x80)],
  ['a UUID', new UUID()],
  ['a regular expression', new BSONRegExp('^a.*', 'imx')],
  ['null', null],
  ['an array of arrays', [[], [[new Int32(1)]]]],
];

/** Documents come back with the types that they were stored with. */
export function describeBsonTypes(bed: () => TestBed): void {
  describe('the type of', () => {
    it.each(VALUES)('%s outlives storage and an update beside it', async (_name, value) => {
      const { collection } = bed();
      await collection.insertOne({ value, other: 1 });
      await collection.updateOne({}, { $set: { other: 2 } });
      const found = await collection.findOne({}, { promoteValues: false, bsonRegExp: true });
      expect(EJSON.stringify({ value: found?.value }, { relaxed: false })).toBe(
        EJSON.stringify({ value }, { relaxed: false }),
      );
      expect(String(found?.other)).toBe('2');
    });

    it.each(VALUES)('%s serves as a value to find by', async (_name, value) => {
      if (value instanceof BSONRegExp || value instanceof Binary || String(value) === LARGE) return;
      const { collection } = bed();
      await collection.createIndex({ value: 1 });
      await collection.insertOne({ value });
      expect(await collection.countDocuments({ value })).toBe(1);
      expect(await collection.countDocuments({ $or: [{ value }, { none: 1 }] })).toBe(1);
    });
  });
}
