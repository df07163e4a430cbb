import { type Delivery, withScheme } from '@gleaner/client';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { bindTo } from '../forms/problems.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';

/** Sends a signed test event to an endpoint. */
export function TestPanel() {
  const [url, setUrl] = useState('');
  const test = useChange({
    key: 'deliveries',
    change: () => gleaner.webhooks.test(withScheme(url.trim())),
  });
  return (
    <form
      className="card stack"
      aria-label="Test an endpoint"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <h2>Test an endpoint</h2>
      <TextInput
        label="URL"
        inputMode="url"
        placeholder="example.com/webhook"
        {...bindTo(test.error)('url', url, setUrl)}
        required
      />
      <div>
        <Button type="submit" variant="default" loading={test.isPending}>
          Send a test
        </Button>
      </div>
      {test.error && <ErrorPanel error={test.error} />}
      {test.data && (
        <div className="stack-tight" aria-live="polite">
          <div>
            <StatusBadge status={test.data.status} />
          </div>
          <DeliveryAttempts delivery={test.data} />
        </div>
      )}
    </form>
  );
}

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
