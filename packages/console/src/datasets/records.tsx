import type { Dataset, DatasetRecord } from '@gleaner/client';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { VirtualTable } from '../tables/virtual-table.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { recordRows } from './record-rows.ts';

/** Records that the table holds; the exports hold all. */
const MAX_SHOWN = 10_000;
const DAY_MS = 86_400_000;

const OPS = [
  { value: 'upsert', label: 'There' },
  { value: 'gone', label: 'Gone' },
  { value: '', label: 'All' },
];
const SINCE = [
  { value: '', label: 'Changed at any time' },
  { value: '1', label: 'Changed in the last day' },
  { value: '7', label: 'Changed in the last 7 days' },
  { value: '30', label: 'Changed in the last 30 days' },
];

/** The records of a dataset as a table; a row opens the history of its record. */
export function DatasetRecords({ dataset }: { readonly dataset: Dataset }) {
  const [op, setOp] = useState('upsert');
  const [days, setDays] = useState('');
  const [opened, setOpened] = useState<DatasetRecord>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['dataset', dataset.name, 'records', dataset.revision, op, days],
    queryFn: ({ signal }) => readRecords(dataset.name, { op, days }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack-tight">
      <div className="spread">
        <h2>Records</h2>
        <span className="row">
          <NativeSelect
            size="xs"
            aria-label="Since when"
            data={SINCE}
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
          <SegmentedControl size="xs" aria-label="Which records" data={OPS} value={op} onChange={setOp} />
        </span>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
      {isPending && <WaitingRows label="Loading records" />}
      {data?.length === 0 && (
        <EmptyState icon="table" title="No records">
          {op === 'upsert' && days === '' ? 'No job has written to it yet.' : 'No record fits the filters.'}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <VirtualTable
          label="Records"
          {...recordRows(data, dataset, op)}
          onOpen={(row) => setOpened(data[row])}
        />
      )}
      {data?.length === MAX_SHOWN && (
        <p className="muted small">
          The first {MAX_SHOWN.toLocaleString()} records are shown; exports contain all of them.
        </p>
      )}
      {opened && <RecordDialog dataset={dataset.name} record={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

async function readRecords(
  name: string,
  { op, days }: { readonly op: string; readonly days: string },
  signal: AbortSignal,
): Promise<DatasetRecord[]> {
  const records: DatasetRecord[] = [];
  const query = {
    ...(op !== '' && { op: op as DatasetRecord['op'] }),
    ...(days !== '' && { changedAfter: new Date(Date.now() - Number(days) * DAY_MS).toISOString() }),
  };
  for await (const record of gleaner.datasets.records(name, query, { signal })) {
    records.push(record);
    if (records.length >= MAX_SHOWN) break;
  }
  return records;
}
