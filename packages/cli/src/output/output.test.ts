import type { Job } from '@gleaner/client';
import { describe, expect, it } from '@jest/globals';
import { renderProgress } from '../commands/job/follow-job.ts';
import { renderFields, renderTable } from './render-table.ts';

describe('renderTable', () => {
  const columns = [
    { name: 'id', isWhole: true, value: (row: { id: string; name: string }) => row.id },
    { name: 'name', value: (row: { id: string; name: string }) => row.name },
  ];

  it('aligns columns and cuts the widest to the width, never an id', () => {
    const rows = [{ id: 'job_0123456789', name: 'A very long name of a job that goes on' }];
    expect(renderTable(rows, columns, 32)).toBe('ID              NAME\njob_0123456789  A very long nam…\n');
    expect(renderTable(rows, columns, 5)).toBe('ID              NAME\njob_0123456789  A very …\n');
  });

  it('leaves out minor columns where there is no room, the last first', () => {
    const rows = [{ id: 'job_01', name: 'A name that is long' }];
    const many = [
      ...columns,
      { name: 'credits', isWhole: true, isMinor: true, value: () => 1234 },
      { name: 'created', isWhole: true, isMinor: true, value: () => '2026-01-01T10:00:00Z' },
    ];
    expect(renderTable(rows, many, 80)).toContain('CREATED');
    expect(renderTable(rows, many, 40)).toBe(
      'ID      NAME                 CREDITS\njob_01  A name that is long  1,234\n',
    );
    expect(renderTable(rows, many, 20)).toBe('ID      NAME\njob_01  A name that…\n');
  });

  it('measures what a terminal shows', () => {
    const rows = [
      { id: '日本語', name: '👩‍👩‍👧'.repeat(10) },
      { id: 'a', name: 'é'.repeat(4) },
    ];
    expect(renderTable(rows, columns, 20)).toBe(
      `ID      NAME\n日本語  ${'👩‍👩‍👧'.repeat(5)}…\na       éééé\n`,
    );
  });

  it('shows nothing that a terminal would obey', () => {
    expect(renderTable([{ id: '1', name: 'a\u001b[31m\u009bx\u202e\nb' }], columns, 80)).not.toMatch(
      /[\p{Cc}\u202e](?<!\n)/u,
    );
  });
});

describe('renderFields', () => {
  it('leaves out what is not set', () => {
    const fields = [
      ['id', 'job_1'],
      ['started', undefined],
      ['created', '2026-01-01T10:00:00.123Z'],
      ['done', 1234],
    ] as const;
    expect(renderFields(fields)).toBe('id       job_1\ncreated  2026-01-01 10:00:00Z\ndone     1,234\n');
  });
});

describe('renderProgress', () => {
  const progress = { status: 'running', totalUrls: 10_000, completedUrls: 1204, failedUrls: 3 } as const;

  it('shows the rate of the last seconds and the time that is left', () => {
    const samples = [
      { atMs: 0, done: 144 },
      { atMs: 5000, done: 1204 },
    ];
    expect(renderProgress(progress, samples)).toBe('1,204/10,000 · 212/s · 3 failed · 00:42 left');
  });

  it('counts the pages of a crawl that have a result or may get one', () => {
    const crawl = { fetched: 5, results: 3, waiting: 0, running: 0, depth: 2 } as Job['crawl'] & object;
    const finished = {
      status: 'completed',
      totalUrls: 120,
      completedUrls: 120,
      failedUrls: 0,
      crawl,
    } as const;
    expect(renderProgress(finished, [])).toBe('3/3 · completed · depth 2');
    const running = {
      ...finished,
      status: 'running',
      crawl: { ...crawl, waiting: 110, running: 2 },
    } as const;
    expect(renderProgress(running, [])).toBe('3/115 · running · depth 2');
  });

  it('shows the state while no rate is known', () => {
    expect(renderProgress({ ...progress, failedUrls: 0 }, [])).toBe('1,204/10,000 · running');
  });
});
