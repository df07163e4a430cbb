import { describe, expect, it } from '@jest/globals';
import { renderProgress } from './progress.ts';
import { csvLine } from './render-csv.ts';
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

  it('shows nothing that a terminal would obey', () => {
    expect(renderTable([{ id: '1', name: 'a\u001b[31m\u009bx\nb' }], columns, 80)).not.toMatch(
      /\p{Cc}(?<!\n)/u,
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

describe('csvLine', () => {
  it('quotes where it must', () => {
    expect(csvLine(['a,b', 'c"d', 'e\nf', null, { x: 1 }, 7])).toBe('"a,b","c""d","e\nf",,"{""x"":1}",7\r\n');
  });
});

describe('renderProgress', () => {
  const progress = { status: 'running', totalUrls: 10_000, completedUrls: 1204, failedUrls: 3 } as const;

  it('shows the rate of the last seconds and the time that is left', () => {
    const samples = [
      { atMs: 0, completedUrls: 144 },
      { atMs: 5000, completedUrls: 1204 },
    ];
    expect(renderProgress(progress, samples)).toBe('1,204/10,000 · 212/s · 3 failed · 00:42 left');
  });

  it('shows the state while no rate is known', () => {
    expect(renderProgress({ ...progress, failedUrls: 0 }, [])).toBe('1,204/10,000 · running');
  });
});
