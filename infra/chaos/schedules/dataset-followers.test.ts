import { describe, expect, it } from '@jest/globals';
import type { Calls } from '../call-service.ts';
import { noFindings } from '../report.ts';
import { checkTable, DatasetFollowers } from './dataset-followers.ts';

interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly record: object;
}

const entry = (key: string, revision: number, price = revision): Entry => ({
  key,
  revision,
  record: { price },
});

/** Follows a feed that gives these pages one after the other, and at last the table. */
async function follow(pages: readonly (readonly Entry[])[], table: readonly Entry[]) {
  const findings = noFindings();
  const waiting = [...pages];
  const insist: Calls['insist'] = async (_method, path) => {
    const isTable = path.includes('limit=1000');
    const since = Number(/since=(\d+)/.exec(path)?.[1]);
    const records = isTable ? table : (waiting.shift() ?? table.filter(({ revision }) => revision > since));
    const given = records.map((each) => ({ ...each, op: 'upsert', jobId: 'job_1' }));
    const next = Math.max(since, ...records.map(({ revision }) => revision));
    return { status: 200, json: { records: given, next, hasMore: waiting.length > 0 } as never };
  };
  const followers = new DatasetFollowers({ insist }, findings);
  const finished = await followers.finish();
  return { findings, revisions: finished.revisions };
}

describe('followers of a dataset', () => {
  const table = [entry('b', 2), entry('a', 3)];

  it('find nothing where the feed adds up to the table', async () => {
    const { findings, revisions } = await follow([[entry('a', 1), entry('b', 2)], [entry('a', 3)]], table);
    expect([findings, revisions]).toEqual([noFindings(), 3]);
  });

  it.each([
    [
      'a revision that comes again',
      [
        [entry('a', 1), entry('b', 2)],
        [entry('b', 2), entry('a', 3)],
      ],
      'gave the revision 2',
    ],
    [
      'a revision of two states',
      [
        [entry('a', 1), entry('b', 2)],
        [entry('a', 3), entry('c', 3)],
      ],
      'to two states',
    ],
    ['a record that never came', [[entry('a', 3)]], 'another table'],
    ['a record that came as another one', [[entry('b', 2, 9), entry('a', 3)]], 'another table'],
  ])('find %s', async (_name, pages, message) => {
    const { findings } = await follow(pages, table);
    expect([...findings.doubled, ...findings.other].join()).toContain(message);
  });
});

describe('the table of a dataset', () => {
  const row = (key: string, price: number, jobId = 'job_1', op: 'upsert' | 'gone' = 'upsert') =>
    [key, { key, op, jobId, record: { price } }] as const;
  const found = new Map([
    [
      'job_1',
      new Map([
        ['a', { price: 1 }],
        ['b', { price: 2 }],
      ]),
    ],
    ['job_2', new Map([['a', { price: 3 }]])],
  ]);

  it.each([
    ['what the runs found', [row('a', 3, 'job_2'), row('b', 2)], ''],
    ['a page less', [row('a', 3, 'job_2')], 'b has no record'],
    ['a value of another run', [row('a', 3), row('b', 2)], 'job_1 found {"price":1}'],
    ['a record of no run', [row('a', 3, 'job_3'), row('b', 2)], 'of job_3, which has not found it'],
    ['a record that is gone', [row('a', 3, 'job_2'), row('b', 2, 'job_1', 'gone')], 'b is gone'],
  ])('is checked: %s', (_name, rows, message) => {
    const findings = noFindings();
    checkTable(new Map(rows), found, findings);
    const all = [...findings.lost, ...findings.other];
    expect(message === '' ? all : all.join()).toEqual(message === '' ? [] : expect.stringContaining(message));
  });
});
