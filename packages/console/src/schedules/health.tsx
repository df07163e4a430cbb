import type { ScheduleHealth } from '@gleaner/client';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { SnapshotFrame } from '../workbench/page/snapshot-frame.tsx';
import styles from './health.module.css';

type Field = ScheduleHealth['fields'][number];
type Page = ScheduleHealth['pages'][number];

/** The fields of a schedule before and now, with what to use instead of selectors that have lost their values. */
export function ScheduleFields({ id, runCount }: { readonly id: string; readonly runCount: number }) {
  const announce = useAnnounce();
  const query = useQuery({
    // Runs change it, and acceptance does.
    queryKey: ['schedules', id, 'health', runCount],
    queryFn: ({ signal }) => gleaner.schedules.health(id, {}, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  const accept = useChange({
    key: 'schedules',
    change: (fields: string[]) =>
      gleaner.schedules.acceptSuggestions(id, {
        fields,
        ...(query.data && { suggestedFor: query.data.suggestedFor }),
      }),
    onDone: ({ accepted }) =>
      announce(`${accepted.join(', ')} will be read with the new selectors from the next run on.`),
    onError: ({ message }) => announce(message),
  });
  const { data: health, error } = query;
  if (!health) return error ? <ErrorPanel error={error} /> : null;
  if (health.fields.length === 0) return null;
  const verified = health.fields.flatMap(({ path, suggestion }) => (suggestion?.isVerified ? [path] : []));
  return (
    <section className="card stack" aria-label="Health">
      <div className="spread">
        <h2>
          Health <StatusBadge status={health.health} />
        </h2>
        {verified.length > 1 && (
          <Button size="sm" loading={accept.isPending} onClick={() => accept.mutate(verified)}>
            Accept all verified
          </Button>
        )}
      </div>
      <p className="muted small">
        What each field returned in the last {health.runs} runs whose pages were content, and in the last of
        them.
      </p>
      <Table
        label="Fields"
        columns={[...COLUMNS, suggestionColumn((path) => accept.mutate([path]), accept.isPending)]}
        rows={health.fields}
        keyOf={({ path }) => path}
      />
      <BothPages pages={health.pages.filter(({ good, bad }) => good !== null && bad !== null)} />
    </section>
  );
}

const POLL_MS = 15_000;

const COLUMNS: readonly Column<Field>[] = [
  { head: 'Field', cell: ({ path }) => <span className="mono">{path}</span> },
  { head: 'Health', cell: ({ health }) => <StatusBadge status={health} /> },
  { head: 'Before', cell: ({ before, fallen }) => describe(before, fallen) },
  { head: 'Now', cell: ({ now, fallen }) => describe(now, fallen) },
  {
    head: 'Since',
    cell: ({ fallen }) => (fallen ? <Time at={fallen.at} /> : <span className="muted">–</span>),
  },
];

/** Says how much a field returns: by the measure that fell, else by its values. */
function describe(measures: Field['now'], fallen: Field['fallen']): string {
  if (!measures) return '–';
  const { fill, count } = measures;
  const percent = (share: number | null) => `${Math.round((share ?? 0) * 100)} %`;
  if (fallen?.measure === 'conversion') return `${percent(measures.conversion)} converted`;
  if (fallen?.measure === 'shape') return `${percent(measures.shape)} look alike`;
  return count === null ? `${percent(fill)} filled` : `${Math.round(count * 10) / 10} values`;
}

function suggestionColumn(onAccept: (path: string) => void, isPending: boolean): Column<Field> {
  return {
    head: 'Suggestion',
    cell: ({ path, suggestion, note, fallen }) => {
      if (!fallen) return <span className="muted">–</span>;
      if (!suggestion) return <span className="muted small">{note}</span>;
      const { selector, isVerified, now } = suggestion;
      return (
        <div className="stack-tight">
          <code className={styles.selector}>
            {typeof selector === 'string' ? selector : JSON.stringify(selector)}
          </code>
          <span className="small muted">
            {isVerified ? 'Verified on both pages' : 'Not verified'}, finds{' '}
            {JSON.stringify(now[0] ?? null).slice(0, 120)}
          </span>
          <Button
            className={styles.accept ?? ''}
            size="compact-xs"
            variant={isVerified ? 'filled' : 'default'}
            disabled={isPending}
            aria-label={`Accept the suggestion for ${path}`}
            onClick={() => onAccept(path)}
          >
            Accept
          </Button>
        </div>
      );
    },
  };
}

/** A page as it was beside the same page as it is. */
function BothPages({ pages }: { readonly pages: readonly Page[] }) {
  const [shown, setShown] = useState<string>();
  if (pages.length === 0) return null;
  const page = pages.find(({ url }) => url === shown);
  return (
    <div className="stack-tight">
      <div className="row">
        {pages.map(({ url }) => (
          <Button
            key={url}
            size="compact-xs"
            variant="default"
            aria-expanded={url === shown}
            onClick={() => setShown(url === shown ? undefined : url)}
          >
            {url === shown ? 'Hide' : 'Show'} {new URL(url).pathname} before and now
          </Button>
        ))}
      </div>
      {page && (
        <div className={styles.both}>
          {(['good', 'bad'] as const).map((when) => (
            <figure key={`${page.url} ${when}`} className={styles.page}>
              <figcaption className="small">
                {when === 'good' ? 'Last good page' : 'First bad page'},{' '}
                <Time at={when === 'good' ? page.goodAt : page.badAt} />
              </figcaption>
              <SnapshotFrame
                snapshotId={page[when] ?? ''}
                url={page.url}
                title={`${when === 'good' ? 'Last good' : 'First bad'} page of ${page.url}`}
                onConnect={() => {}}
                onMessage={() => {}}
              />
            </figure>
          ))}
        </div>
      )}
    </div>
  );
}
