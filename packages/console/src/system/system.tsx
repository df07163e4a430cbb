import type { ResultOf } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { ExactTime, Time, useNow } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';

const POLL_MS = 3_000;
const DEAD_LETTERS = 'dead-letters';

type System = ResultOf<'getSystem'>['system'];
type Queue = System['queues'][number];

const SERVICE_COLUMNS: readonly Column<System['services'][number]>[] = [
  { head: 'Service', cell: ({ name }) => name },
  { head: 'Handles', cell: ({ purpose }) => purpose },
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

type Instance = System['instances'][number];
type Browser = NonNullable<Instance['browsers']>[number] & { readonly at: string; readonly key: string };

/** Age of a heartbeat at which the process may be gone: it missed one. */
const LATE_MS = 25_000;
const MEBIBYTE = 1_048_576;

/** Every process with its version; what differs from the gateway's stands out. */
function Instances({ system }: { readonly system: System }) {
  const now = useNow();
  const { version, instances } = system;
  if (instances.length === 0)
    return <p className="muted small">No process has reported yet. Each reports every ten seconds.</p>;
  const isLate = ({ seenAt }: Instance) => now - Date.parse(seenAt) > LATE_MS;
  const columns: readonly Column<Instance>[] = [
    {
      head: 'Process',
      cell: ({ service, name }) => (
        <>
          <div>{service}</div>
          <div className="mono muted">{name}</div>
        </>
      ),
    },
    {
      head: 'Version',
      cell: ({ version: own }) =>
        own === version ? own : <span className="bad">{own}, unlike the gateway</span>,
    },
    { head: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
    {
      head: 'Last seen',
      cell: (instance) => (
        <span className={isLate(instance) ? 'bad' : undefined}>
          <Time at={instance.seenAt} />
        </span>
      ),
    },
  ];
  return <Table label="Processes" columns={columns} rows={instances} keyOf={({ id }) => id} />;
}

const BROWSER_COLUMNS: readonly Column<Browser>[] = [
  { head: 'Browser', cell: ({ kind }) => kind },
  { head: 'Version', cell: ({ version }) => `Chromium ${version}` },
  { head: 'Tabs', isNumeric: true, cell: ({ tabs }) => tabs },
  { head: 'Memory', isNumeric: true, cell: ({ memoryBytes }) => `${Math.round(memoryBytes / MEBIBYTE)} MB` },
  { head: 'Process', cell: ({ at }) => <span className="mono muted">{at}</span> },
];

/** The running browsers, or the one that starts next. */
function Browsers({ instances }: Pick<System, 'instances'>) {
  const rows = instances.flatMap(({ id, name, browsers = [] }) =>
    browsers.map((browser, index): Browser => ({ ...browser, at: name, key: `${id} ${index}` })),
  );
  if (rows.length === 0) {
    const chromium = instances.find((instance) => instance.chromium)?.chromium;
    return (
      <p className="muted small">
        No browser is running. {chromium ? `Chromium ${chromium.version}, released ` : 'One '}
        {chromium && <Time at={chromium.releasedAt} />} starts with the first rendered page.
      </p>
    );
  }
  return <Table label="Browsers" columns={BROWSER_COLUMNS} rows={rows} keyOf={({ key }) => key} />;
}

const HOST_COLUMNS: readonly Column<System['pausedHosts'][number]>[] = [
  { head: 'Host', cell: ({ host }) => <span className="mono">{host}</span> },
  { head: 'Continues', cell: ({ until }) => <Continues at={until} /> },
  { head: 'At', cell: ({ until }) => <ExactTime at={until} /> },
];

/** Time at which a pause ends. An ended pause stays in the list until the next heartbeat. */
function Continues({ at }: { readonly at: string }) {
  return useNow() < Date.parse(at) ? <Time at={at} /> : 'now';
}

function PausedHosts({ hosts }: { readonly hosts: System['pausedHosts'] }) {
  if (hosts.length === 0)
    return (
      <p className="muted small">
        No host is paused. A host that answers 429, or 503 with Retry-After, gets no requests for a while.
      </p>
    );
  return <Table label="Paused hosts" columns={HOST_COLUMNS} rows={hosts} keyOf={({ host }) => host} />;
}
