import type { ResultOf } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/waiting.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Browsers, Instances, PausedHosts } from './processes.tsx';

const POLL_MS = 3_000;
const DEAD_LETTERS = 'dead-letters';

type System = ResultOf<'getSystem'>['system'];
type Queue = System['queues'][number];

const SERVICE_COLUMNS: readonly Column<System['services'][number]>[] = [
  { head: 'Service', cell: ({ name }) => name },
  { head: 'Takes', cell: ({ purpose }) => purpose },
  { head: 'Status', cell: ({ processes }) => <StatusBadge status={processes > 0 ? 'running' : 'down'} /> },
  { head: 'Processes', isNumeric: true, cell: ({ processes }) => processes },
];

const QUEUE_COLUMNS: readonly Column<Queue>[] = [
  { head: 'Queue', cell: ({ name }) => <code>{name}</code> },
  {
    head: 'Waiting',
    isNumeric: true,
    cell: ({ name, messages }) => (
      <span className={name === DEAD_LETTERS && messages > 0 ? 'bad' : undefined}>
        {messages.toLocaleString()}
      </span>
    ),
  },
  { head: 'Consumers', isNumeric: true, cell: ({ consumers }) => consumers },
];

/** The processes of the service and its queues, read again every few seconds. */
export function SystemView() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => gleaner.system({ signal }),
    refetchInterval: POLL_MS,
  });
  const dead = data?.queues.find(({ name }) => name === DEAD_LETTERS)?.messages ?? 0;
  return (
    <>
      <PageHeader title="System" below={data && `Gleaner ${data.version}`} />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={refetch} />}
        {isPending && <WaitingRows label="Loading the system" />}
        {dead > 0 && (
          <p role="alert" className="card">
            <StatusBadge status="failed" /> {dead.toLocaleString()} messages could not be processed. They are
            in the queue <code>{DEAD_LETTERS}</code>.
          </p>
        )}
        {data && (
          <>
            <h2>Services</h2>
            <Table
              label="Services"
              columns={SERVICE_COLUMNS}
              rows={data.services}
              keyOf={({ name, purpose }) => `${name} ${purpose}`}
            />
            <h2>Processes</h2>
            <Instances system={data} />
            <h2>Browsers</h2>
            <Browsers instances={data.instances} />
            <h2>Paused hosts</h2>
            <PausedHosts hosts={data.pausedHosts} />
            <h2>Queues</h2>
            <Table label="Queues" columns={QUEUE_COLUMNS} rows={data.queues} keyOf={({ name }) => name} />
          </>
        )}
      </div>
    </>
  );
}
