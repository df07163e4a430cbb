import { describe, expect, it } from '@jest/globals';
import { recordRows } from './record-rows.ts';

const changedAt = '2026-11-28T06:00:00.000Z';
const RECORDS = [
  { key: '1', op: 'upsert', changedAt, record: { title: 'Emma', price: { amount: 9.5 } } },
  { key: '2', op: 'gone', changedAt, record: { title: 'Ivanhoe', price: null } },
] as const;
const columns = ['title', 'price.amount'];

describe('the rows of records', () => {
  it('have a cell for each column of the dataset', () => {
    expect(recordRows(RECORDS, { key: ['isbn'], columns }, 'upsert')).toEqual({
      columns: ['title', 'price.amount', 'changed'],
      rows: [
        ['Emma', 9.5, changedAt],
        ['Ivanhoe', undefined, changedAt],
      ],
    });
  });

  it('say which are gone among all, and the key where it is not a field', () => {
    expect(recordRows(RECORDS, { key: [], columns: ['title'] }, '').rows).toEqual([
      ['upsert', '1', 'Emma', changedAt],
      ['gone', '2', 'Ivanhoe', changedAt],
    ]);
  });
});
