import { type ScrapeRequest, withScheme } from '@gleaner/client';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { takeOver } from '../forms/hand-over.ts';
import { OptionFields } from '../forms/option-fields.tsx';
import { bindTo } from '../forms/problems.ts';
import { useExample, useOpenApi } from '../forms/use-openapi.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Bench } from './bench.tsx';
import { draftFrom, EMPTY_DRAFT } from './draft/draft.ts';
import { keepWork, recallWork, type Work } from './kept-work.ts';
import { type KeptPage, keepPage } from './page/keep-page.ts';
import styles from './workbench.module.css';

/** Parts of a scrape that the workbench makes itself. */
const OWN_OPTIONS = ['url', 'selectors', 'formats', 'screenshot', 'snapshot', 'page'];

/** Selectors by clicking: a page is scraped and kept, and what is picked on it becomes fields with live values. */
export function Workbench() {
  const [handed] = useState(workHandedOver);
  const [work, setWork] = useState<Work>(
    () => handed ?? recallWork() ?? { url: '', options: {}, draft: EMPTY_DRAFT },
  );
  const onUse = useExample('/v1/scrape', ({ url = '' }) =>
    setWork((now) => (now.url === '' ? { ...now, url: String(url) } : now)),
  );
  useEffect(() => keepWork(work), [work]);
  const open = useMutation({
    mutationFn: () => keepPage({ ...work.options, url: withScheme(work.url.trim()) } as ScrapeRequest),
    onSuccess: (page) => setWork((now) => ({ ...now, page })),
  });
  const { mutate, error, isPending, isIdle } = open;
  useEffect(() => {
    if (handed && !handed.page) mutate();
  }, [handed, mutate]);
  const { page } = work;
  return (
    <>
      <PageHeader
        title="Workbench"
        below={page ? <PageFacts page={page} /> : 'Choose what to extract by clicking on a page.'}
      />
      <div className="stack">
        <OpenForm
          work={work}
          error={error}
          isPending={isPending}
          onUse={onUse}
          onChange={setWork}
          onOpen={mutate}
        />
        {error && !isPending && <ErrorPanel error={error} onRetry={mutate} />}
        {isPending && <WaitingRows label="Scraping the page" rows={8} />}
        {!page && isIdle && (
          <EmptyState icon="target" title="The page will appear here">
            Press “Open”, then click two items of a list, such as two products: the others are found for you.
          </EmptyState>
        )}
        {page && !isPending && (
          <Bench
            key={page.snapshotId}
            work={work}
            page={page}
            onDraft={(update) => setWork((now) => ({ ...now, draft: update(now.draft) }))}
            onScrapeAgain={mutate}
          />
        )}
      </div>
    </>
  );
}

/** The page to open, with the options of its scrape. */
function OpenForm(props: {
  readonly work: Work;
  readonly error: unknown;
  readonly isPending: boolean;
  onUse(): void;
  onChange(work: Work): void;
  onOpen(): void;
}) {
  const { work, error, isPending, onUse, onChange, onOpen } = props;
  const { data: openApi } = useOpenApi();
  const { url, options, page, draft } = work;
  return (
    <form
      className={`card ${styles.open}`}
      aria-label="Page to open"
      onFocus={onUse}
      onSubmit={(event) => {
        event.preventDefault();
        onOpen();
      }}
    >
      <TextInput
        aria-label="URL"
        inputMode="url"
        placeholder="example.com"
        {...bindTo(error)('url', url, (text) => onChange({ ...work, url: text }))}
        required
      />
      <Button type="submit" loading={isPending} disabled={url.trim() === ''}>
        {page ? 'Open again' : 'Open'}
      </Button>
      {(page || draft !== EMPTY_DRAFT) && (
        <Button
          variant="default"
          disabled={isPending}
          onClick={() => onChange({ ...work, page: undefined, draft: EMPTY_DRAFT })}
        >
          Start over
        </Button>
      )}
      <details className={styles.options}>
        <summary>Options</summary>
        <OptionFields
          schema={openApi?.components.schemas.ScrapeRequest}
          except={OWN_OPTIONS}
          values={options}
          error={error}
          onChange={(next) => onChange({ ...work, options: setOptions(next) })}
        />
      </details>
    </form>
  );
}

function PageFacts({ page: { finalUrl, at, credits } }: { readonly page: KeptPage }) {
  return (
    <>
      {finalUrl}, kept <Time at={at} /> for {credits} {credits === 1 ? 'credit' : 'credits'}
    </>
  );
}

/** Returns the work that another view hands over: a request, and its page if that is kept. */
function workHandedOver(): Work | undefined {
  const request = takeOver();
  if (!request) return undefined;
  const options = Object.fromEntries(Object.entries(request).filter(([name]) => !OWN_OPTIONS.includes(name)));
  const { url, selectors, page } = request as Partial<ScrapeRequest> & { readonly page?: KeptPage };
  return { url: url ?? '', options, page, draft: selectors ? draftFrom(selectors) : EMPTY_DRAFT };
}

function setOptions(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined && value !== '' && value !== false),
  );
}
