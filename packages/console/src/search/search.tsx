import type { BodyOf } from '@gleaner/client';
import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { bindTo, problemAt } from '../forms/problems.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { FoundPages } from './found-pages.tsx';

type SearchBody = BodyOf<'search'>;

/** A search of the web: a form, the results, and a job of those that are chosen. */
export function Search() {
  const search = useMutation({ mutationFn: (body: SearchBody) => gleaner.search(body) });
  const form = useRef<HTMLFormElement>(null);
  const { data, error, isPending, isIdle } = search;
  return (
    <>
      <PageHeader title="Search" below="Find pages by words, and scrape the ones that you choose." />
      <div className="stack">
        <SearchForm ref={form} error={error} isPending={isPending} onSubmit={(body) => search.mutate(body)} />
        <section className="stack" aria-label="Results" aria-busy={isPending}>
          {isPending && <WaitingRows label="Searching" />}
          {error && !isPending && <ErrorPanel error={error} onRetry={() => form.current?.requestSubmit()} />}
          {data && !isPending && <FoundPages key={data.requestId} {...data} />}
          {isIdle && (
            <EmptyState icon="search" title="The results will appear here">
              A search costs nothing. Its results come from the SearXNG of the operator.
            </EmptyState>
          )}
        </section>
      </div>
    </>
  );
}

const TIMES = [
  { value: '', label: 'Any time' },
  { value: 'day', label: 'The last day' },
  { value: 'week', label: 'The last week' },
  { value: 'month', label: 'The last month' },
  { value: 'year', label: 'The last year' },
];

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

function SearchForm(props: {
  readonly ref: Ref<HTMLFormElement>;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(request: SearchBody): void;
}) {
  const { ref, error, isPending, onSubmit } = props;
  const [query, setQuery] = useState('');
  const [limit, setLimit] = useState<number | string>(DEFAULT_LIMIT);
  const [time, setTime] = useState('');
  const [site, setSite] = useState('');
  const [lang, setLang] = useState('');
  const bind = bindTo(error);
  return (
    <form
      ref={ref}
      className="card stack-tight"
      aria-label="Search the web"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({
          query: query.trim(),
          limit: Number(limit) || DEFAULT_LIMIT,
          ...(time !== '' && { time: time as NonNullable<SearchBody['time']> }),
          ...(site.trim() && { site: site.trim() }),
          ...(lang.trim() && { lang: lang.trim() }),
        });
      }}
    >
      <TextInput label="Words" placeholder="book shop" {...bind('query', query, setQuery)} required />
      <NumberInput
        label="Results"
        min={1}
        max={MAX_LIMIT}
        allowDecimal={false}
        value={limit}
        onChange={setLimit}
        error={problemAt(error, 'limit')}
      />
      <NativeSelect
        label="Time"
        data={TIMES}
        value={time}
        onChange={(event) => setTime(event.currentTarget.value)}
      />
      <TextInput label="Only this site" placeholder="docs.example.com" {...bind('site', site, setSite)} />
      <TextInput label="Language" placeholder="en" {...bind('lang', lang, setLang)} />
      <div className="row">
        <Button type="submit" loading={isPending} disabled={query.trim() === ''}>
          Search
        </Button>
      </div>
    </form>
  );
}
