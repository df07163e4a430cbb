import type { ResultOf } from '@gleaner/client';
import { Button, Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { handOver } from '../forms/hand-over.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { UrlText } from '../parts/data/url-text.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { Time } from '../parts/marks/time.tsx';

type Found = Omit<ResultOf<'search'>, 'success'>;

/** The results of a search, and a choice of them for a job. */
export function FoundPages({ results, warnings, metadata }: Found) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (url: string) => setChosen(chosen.symmetricDifference(new Set([url])));
  const isAll = chosen.size === results.length;
  const chooseAll = () => setChosen(new Set(isAll ? [] : results.map(({ url }) => url)));
  const toJob = () => {
    handOver({ urls: results.map(({ url }) => url).filter((url) => chosen.has(url)) });
    void navigate({ to: '/jobs/new' }).catch(() => {});
  };
  return (
    <>
      <div className="row">
        <span>
          {results.length === 1 ? '1 result' : `${results.length} results`} in{' '}
          {describeDuration(metadata.duration)}
        </span>
        <Button variant="default" size="xs" disabled={results.length === 0} onClick={chooseAll}>
          {isAll && results.length > 0 ? 'Choose none' : 'Choose all'}
        </Button>
        <Button size="xs" disabled={chosen.size === 0} onClick={toJob}>
          {chosen.size === 0 ? 'Scrape as a job' : `Scrape ${chosen.size} as a job`}
        </Button>
      </div>
      {warnings.length > 0 && (
        <ul aria-label="Warnings">
          {warnings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {results.length === 0 ? (
        <EmptyState icon="search" title="Nothing was found">
          Other words, another time or another site may find more.
        </EmptyState>
      ) : (
        <Table
          label="Results of the search"
          columns={columnsOf(chosen, choose)}
          rows={results}
          keyOf={({ url }) => url}
        />
      )}
    </>
  );
}

function columnsOf(
  chosen: ReadonlySet<string>,
  choose: (url: string) => void,
): readonly Column<Found['results'][number]>[] {
  return [
    {
      head: 'Page',
      cell: ({ url, title }) => (
        <Checkbox label={title || url} checked={chosen.has(url)} onChange={() => choose(url)} />
      ),
    },
    { head: 'URL', cell: ({ url }) => <UrlText url={url} /> },
    { head: 'Text', cell: ({ snippet }) => snippet || <span className="muted">none</span> },
    {
      head: 'Date',
      cell: ({ publishedAt }) =>
        publishedAt ? <Time at={publishedAt} /> : <span className="muted">unknown</span>,
    },
  ];
}
