import { describe, expect, it } from '@jest/globals';
import type { TestBed, TestDoc } from '../describe-mongo-conformance.ts';

const FAULTS: readonly (readonly [string, TestDoc, TestDoc])[] = [
  ['an unknown command', { frobnicate: 1 }, { code: 59, codeName: 'CommandNotFound' }],
  ['an unknown option', { find: 'c', frobnicate: 1 }, { code: 40415 }],
  ['a filter that is not a document', { find: 'c', filter: 5 }, { code: 14, codeName: 'TypeMismatch' }],
  ['a sort that is not a document', { find: 'c', sort: 'a' }, { code: 14 }],
  ['a negative skip', { find: 'c', skip: -1 }, { code: 51024 }],
  ['an insert without documents', { insert: 'c', documents: [] }, { code: 16, codeName: 'InvalidLength' }],
  ['a delete without a limit', { delete: 'c', deletes: [{ q: {} }] }, { code: 40414 }],
  ['an aggregate without a cursor', { aggregate: 'c', pipeline: [] }, { code: 9, codeName: 'FailedToParse' }],
  ['a write concern of two nodes', { insert: 'c', documents: [{}], writeConcern: { w: 2 } }, { code: 2 }],
  [
    'listing indexes of nothing',
    { listIndexes: 'does-not-exist' },
    { code: 26, codeName: 'NamespaceNotFound' },
  ],
  ['dropping indexes of nothing', { dropIndexes: 'does-not-exist', index: 'a_1' }, { code: 26 }],
];

/** Errors carry MongoDB's code, name and words. */
export function describeErrors(bed: () => TestBed): void {
  describe('an error', () => {
    it.each(FAULTS)('for %s', async (_name, command, expected) => {
      await expect(bed().database.command(command)).rejects.toMatchObject(expected);
    });

    it('of one statement is told by its index', async () => {
      const { collection, database } = bed();
      const updates = [
        { q: {}, u: { $set: { a: 1 } }, upsert: true },
        { q: {}, u: { $frobnicate: { a: 1 } } },
        { q: {}, u: { $set: { b: 1 } } },
      ];
      const reply = await database
        .command({ update: collection.collectionName, updates, ordered: false })
        .catch((e) => e.result ?? e);
      expect(reply.writeErrors ?? [reply]).toMatchObject([{ index: 1, code: 9 }]);
      expect(await collection.findOne()).toMatchObject({ a: 1, b: 1 });
    });
  });
}
