import { type ResultOf, withScheme } from '@gleaner/client';
import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { handOver } from '../forms/hand-over.ts';
import { bindTo } from '../forms/problems.ts';
import { exampleOf, useOpenApi } from '../forms/use-openapi.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { VirtualTable } from '../tables/virtual-table.tsx';

type Mapped = ResultOf<'map'>;

const DEPTHS = [
  { value: '0', label: 'Sitemaps only (free)' },
  { value: '1', label: 'And the links of the start page (1 credit)' },
  { value: '2', label: 'And the links of the pages found (1 credit each)' },
];

/** The URLs of a site: a form, the list, and a job of what is in it. */
export function SiteMap() {
  const { data: openApi } = useOpenApi();
  const [url, setUrl] = useState<string>();
  const [depth, setDepth] = useState('1');
  const [include, setInclude] = useState('');
  const [search, setSearch] = useState('');
  const example = exampleOf(openApi, '/v1/scrape')?.url;
  const shownUrl = url ?? (typeof example === 'string' ? example : '');
  const map = useMutation({
    mutationFn: () =>
      gleaner.call('map', {
        body: {
          url: withScheme(shownUrl.trim()),
          depth: Number(depth) as 0 | 1 | 2,
          ...(include.trim() && { include: include.trim().split(/[\s,]+/) }),
          ...(search.trim() && { search: search.trim() }),
        },
      }),
  });
  const bind = bindTo(map.error);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    map.mutate();
  };
  return (
    <>
      <PageHeader title="Site map" below="List the URLs of a site before you scrape them." />
      <div className="stack">
        <form className="card stack-tight" aria-label="Map a site" onSubmit={onSubmit}>
          <TextInput
            label="Start page"
            placeholder="example.com"
            inputMode="url"
            {...bind('url', shownUrl, setUrl)}
            required
          />
          <Select
            label="What is read"
            data={DEPTHS}
            value={depth}
            onChange={(value) => setDepth(value ?? '1')}
          />
          <TextInput
            label="Only URLs that match"
            placeholder="/books/**"
            {...bind('include', include, setInclude)}
          />
          <TextInput label="Words to search for" {...bind('search', search, setSearch)} />
          <div className="row">
            <Button type="submit" loading={map.isPending} disabled={shownUrl.trim() === ''}>
              List the URLs
            </Button>
          </div>
        </form>
        <section className="stack" aria-label="URLs" aria-busy={map.isPending}>
          {map.isPending && <WaitingRows label="Mapping the site" />}
          {map.error && !map.isPending && <ErrorPanel error={map.error} onRetry={() => map.mutate()} />}
          {map.data && !map.isPending && <Found {...map.data} />}
          {map.isIdle && (
            <EmptyState icon="search" title="The URLs will appear here">
              A map reads the sitemaps of the site, and the links of its first pages.
            </EmptyState>
          )}
        </section>
      </div>
    </>
  );
}

/** Most URLs that a form takes over: it shows them as text. */
const MAX_HANDED_OVER = 1000;

function Found({ urls, sources, complete, stoppedBy, reason, metadata }: Mapped) {
  const navigate = useNavigate();
  const toJob = () => {
    handOver({ urls: urls.slice(0, MAX_HANDED_OVER).map((each) => each.url) });
    void navigate({ to: '/jobs/new' }).catch(() => {});
  };
  const errors = sources.filter(({ error }) => error);
  const cost = metadata.credits === 1 ? '1 credit' : `${metadata.credits} credits`;
  return (
    <>
      <div className="row">
        <span>
          {urls.length === 1 ? '1 URL' : `${urls.length.toLocaleString('en')} URLs`} from {sources.length}{' '}
          files and pages in {describeDuration(metadata.duration)}, {cost}
          {!complete && `; not all${stoppedBy === undefined ? '' : `: stopped by ${stoppedBy}`}`}
        </span>
        <Button variant="default" size="xs" disabled={urls.length === 0} onClick={toJob}>
          {urls.length > MAX_HANDED_OVER ? `Scrape the first ${MAX_HANDED_OVER}` : 'Scrape them as a job'}
        </Button>
      </div>
      {reason !== undefined && <p role="note">{reason}</p>}
      {errors.length > 0 && reason === undefined && (
        <details>
          <summary>{errors.length === 1 ? '1 source' : `${errors.length} sources`} could not be read</summary>
          <ul>
            {errors.map(({ url, error }) => (
              <li key={url}>
                {url}: {error?.message}
              </li>
            ))}
          </ul>
        </details>
      )}
      {urls.length > 0 && (
        <VirtualTable
          label="URLs of the site"
          columns={['URL', 'Text', 'Last modified', 'Found on']}
          rows={urls.map((each) => [
            each.url,
            each.text ?? '',
            each.lastModified?.slice(0, 10) ?? '',
            each.foundOn ?? '',
          ])}
        />
      )}
    </>
  );
}
