import type { Delivery } from '@gleaner/client';
import { type Column, Table } from '../parts/data/table.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { Time } from '../parts/marks/time.tsx';

type Attempt = Delivery['attempts'][number];

const COLUMNS: readonly Column<Attempt>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  { head: 'Status', isNumeric: true, cell: ({ statusCode }) => statusCode ?? '–' },
  { head: 'Time', isNumeric: true, cell: ({ durationMs }) => describeDuration(durationMs) },
  {
    head: 'Outcome',
    cell: ({ error, response }) => (
      <>
        {error ? <span className="bad">{error}</span> : 'accepted'}
        {response && <div className="mono muted">{response}</div>}
      </>
    ),
  },
];

/** Each attempt at a delivery. */
export function DeliveryAttempts({ delivery }: { readonly delivery: Delivery }) {
  const { id, attempts } = delivery;
  if (attempts.length === 0) return <p className="muted small">Not sent yet.</p>;
  return (
    <Table
      label={`Attempts at ${id}`}
      columns={COLUMNS}
      rows={attempts}
      keyOf={(attempt) => `${attempt.at} ${attempts.indexOf(attempt)}`}
    />
  );
}
