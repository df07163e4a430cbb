import { type BodyOf, withScheme } from '@gleaner/client';
import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { bindTo } from '../forms/problems.ts';
import { exampleOf, useOpenApi } from '../forms/use-openapi.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { FoundUrls } from './found-urls.tsx';

/** The URLs of a site: a form, the list, and a job of what is in it. */
export function SiteMap() {
  const map = useMutation({ mutationFn: (body: BodyOf<'map'>) => gleaner.call('map', { body }) });
  const form = useRef<HTMLFormElement>(null);
  const { data, error, isPending, isIdle } = map;
  return (
    <>
      <PageHeader title="Site map" below="List the URLs of a site before you scrape them." />
      <div className="stack">
        <MapForm ref={form} error={error} isPending={isPending} onSubmit={(body) => map.mutate(body)} />
        <section className="stack" aria-label="URLs" aria-busy={isPending}>
          {isPending && <WaitingRows label="Mapping the site" />}
          {error && !isPending && <ErrorPanel error={error} onRetry={() => form.current?.requestSubmit()} />}
          {data && !isPending && <FoundUrls {...data} />}
          {isIdle && (
            <EmptyState icon="map" title="The URLs will appear here">
              A map reads the sitemaps of the site, and the links of its first pages.
            </EmptyState>
          )}
        </section>
      </div>
    </>
  );
}

const DEPTHS = [
  { value: '0', label: 'Sitemaps only (free)' },
  { value: '1', label: 'And the links of the start page (1 credit)' },
  { value: '2', label: 'And the links of the pages found (1 credit each)' },
];

function MapForm(props: {
  readonly ref: Ref<HTMLFormElement>;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(request: BodyOf<'map'>): void;
}) {
  const { ref, error, isPending, onSubmit } = props;
  const { data: openApi } = useOpenApi();
  const [url, setUrl] = useState<string>();
  const [depth, setDepth] = useState('1');
  const [include, setInclude] = useState('');
  const [search, setSearch] = useState('');
  const example = exampleOf(openApi, '/v1/scrape')?.url;
  const shownUrl = url ?? (typeof example === 'string' ? example : '');
  const bind = bindTo(error);
  return (
    <form
      ref={ref}
      className="card stack-tight"
      aria-label="Map a site"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({
          url: withScheme(shownUrl.trim()),
          depth: Number(depth) as 0 | 1 | 2,
          ...(include.trim() && { include: include.trim().split(/[\s,]+/) }),
          ...(search.trim() && { search: search.trim() }),
        });
      }}
    >
      <TextInput
        label="Start page"
        placeholder="example.com"
        inputMode="url"
        {...bind('url', shownUrl, setUrl)}
        required
      />
      <Select label="What is read" data={DEPTHS} value={depth} onChange={(value) => setDepth(value ?? '1')} />
      <TextInput
        label="Only URLs that match"
        placeholder="/books/**"
        {...bind('include', include, setInclude)}
      />
      <TextInput label="Words to search for" {...bind('search', search, setSearch)} />
      <div className="row">
        <Button type="submit" loading={isPending} disabled={shownUrl.trim() === ''}>
          List the URLs
        </Button>
      </div>
    </form>
  );
}
