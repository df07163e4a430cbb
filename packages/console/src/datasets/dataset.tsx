import type { Dataset } from '@gleaner/client';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { ticketUrl } from '../api/session-api.ts';
import { Facts } from '../parts/data/facts.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { keyText } from './datasets.tsx';
import { DatasetRecords } from './records.tsx';

const REFRESH_MS = 10_000;

/** A dataset: its numbers, and its records as a table. */
export function DatasetView() {
  const { name } = useParams({ from: '/datasets/$name' });
  const { data, error, refetch } = useQuery({
    queryKey: ['dataset', name],
    queryFn: ({ signal }) => gleaner.datasets.get(name, { signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHeader
        title={name}
        above={<Link to="/datasets">Datasets</Link>}
        actions={data && <Actions dataset={data} />}
      />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
        {!data && !error && <WaitingRows label="Loading the dataset" />}
        {data && (
          <>
            <DatasetFacts dataset={data} />
            <DatasetRecords dataset={data} />
          </>
        )}
      </div>
    </>
  );
}

function DatasetFacts({ dataset }: { readonly dataset: Dataset }) {
  const { key, records, gone, revision, createdAt, changedAt } = dataset;
  return (
    <Facts
      facts={{
        Records: records.toLocaleString(),
        Gone: gone.toLocaleString(),
        Key: keyText(key),
        Revision: revision.toLocaleString(),
        Created: <Time at={createdAt} />,
        Changed: changedAt ? <Time at={changedAt} /> : 'never',
      }}
    />
  );
}

const FORMATS = ['csv', 'parquet', 'ndjson'] as const;

function Actions({ dataset: { name } }: { readonly dataset: Dataset }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  return (
    <>
      <ConfirmButton
        label="Delete"
        size="sm"
        question={
          <>
            All records of <code>{name}</code> and their history are deleted. Jobs that run write to it no
            more. This cannot be undone.
          </>
        }
        confirm="Delete the dataset"
        changes="datasets"
        action={() => gleaner.datasets.delete(name)}
        onDone={() => navigate({ to: '/datasets' })}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button>Export</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item
              key={format}
              onClick={() => void download(name, format).catch((error: Error) => announce(error.message))}
            >
              {format === 'parquet' ? 'Parquet' : format.toUpperCase()}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Has the browser download the whole table: it streams to the disk, however large it is. */
async function download(name: string, format: (typeof FORMATS)[number]): Promise<void> {
  const link = document.createElement('a');
  link.href = await ticketUrl(`/v1/datasets/${name}/records?format=${format}`);
  link.download = `${name}.${format}`;
  link.click();
}
