import { GleanerError, type ResultOf, type ScrapeRequest, withScheme } from '@gleaner/client';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { StepsSeen } from '../forms/action-list.tsx';
import { takeOver } from '../forms/hand-over.ts';
import { draftOf, EMPTY_DRAFT, type PageDraft, requestOf } from '../forms/page-draft.ts';
import { PageFields } from '../forms/page-fields.tsx';
import { bindTo } from '../forms/problems.ts';
import { exampleOf, useOpenApi } from '../forms/use-openapi.ts';
import { UrlText } from '../parts/data/url-text.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import styles from './playground.module.css';

const Answer = lazy(() => import('./answer.tsx').then(({ Answer }) => ({ default: Answer })));
const OwnHtml = lazy(() => import('./own-html.tsx').then(({ OwnHtml }) => ({ default: OwnHtml })));
const ReuseMenu = lazy(() =>
  import('../reuse/reuse-menu.tsx').then(({ ReuseMenu }) => ({ default: ReuseMenu })),
);

const SOURCES = [
  { value: 'web', label: 'A page on the web' },
  { value: 'html', label: 'HTML of your own' },
];

/** One page, now: a form, its answer, and ways to go on with both. */
export function Playground() {
  const [source, setSource] = useState('web');
  return (
    <>
      <PageHeader
        title="Playground"
        below="Scrape one page and look at its data."
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Where the page is"
            data={SOURCES}
            value={source}
            onChange={setSource}
          />
        }
      />
      {source === 'web' ? (
        <PageOnTheWeb />
      ) : (
        <Suspense fallback={<WaitingRows label="Loading the form" />}>
          <OwnHtml />
        </Suspense>
      )}
    </>
  );
}

function PageOnTheWeb() {
  const [form, setForm] = useState(() => formOf(takeOver()));
  const { data: openApi } = useOpenApi();
  const queries = useQueryClient();
  const isInUse = useRef(false);
  useEffect(() => {
    const example = exampleOf(openApi, '/v1/scrape');
    // A reader who has the focus in the form already would type into the middle of the example.
    if (example && !isInUse.current)
      setForm((before) => before ?? formOf({ ...example, formats: undefined }));
  }, [openApi]);
  const { url, draft } = form ?? { url: '', draft: EMPTY_DRAFT };
  const request = { url: withScheme(url.trim()), ...requestOf(draft) } as ScrapeRequest;
  const scrape = useMutation({
    mutationFn: async (body: ScrapeRequest) => {
      const startedAt = performance.now();
      const requestId = createRequestId();
      try {
        const headers = { 'x-request-id': requestId };
        const answer = await gleaner.call('scrape', { body: withStepScreenshots(body), headers });
        await remember(body, { code: 'success', durationMs: performance.now() - startedAt });
        return { answer, requestId };
      } catch (error) {
        await remember(body, { code: codeOf(error), durationMs: performance.now() - startedAt });
        throw error;
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: HISTORY_QUERY }),
  });
  const place = useRef<HTMLElement>(null);
  const { isPending, isIdle } = scrape;
  // The form may be longer than the window, and the answer out of sight.
  useEffect(() => {
    if (isPending || !isIdle) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isPending, isIdle]);
  const run = () => scrape.mutate(request);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
  };
  return (
    <div className={styles.columns}>
      <form
        className={`card ${styles.form}`}
        aria-label="Scrape"
        onFocus={() => {
          isInUse.current = true;
        }}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <TextInput
          label="URL"
          placeholder="example.com"
          inputMode="url"
          {...bindTo(scrape.error)('url', url, (text) => setForm({ url: text, draft }))}
          required
        />
        <StepsSeen value={stepsSeenIn(scrape)}>
          <PageFields
            draft={draft}
            schema="ScrapeRequest"
            except={['url', 'stepScreenshots']}
            error={scrape.error}
            onChange={(next) => setForm({ url, draft: next })}
          />
        </StepsSeen>
        <div className={styles.actions}>
          <Button type="submit" loading={scrape.isPending} disabled={url.trim() === ''}>
            Scrape
          </Button>
          <Suspense>
            <ReuseMenu label="Use it elsewhere" request={request} forms={['workbench', 'job', 'schedule']} />
          </Suspense>
        </div>
      </form>
      <div className="stack">
        <section ref={place} aria-label="Answer" aria-busy={scrape.isPending}>
          {scrape.isPending && <WaitingRows label="Scraping the page" />}
          {scrape.error && !scrape.isPending && <ErrorPanel error={scrape.error} onRetry={run} />}
          {scrape.data && !scrape.isPending && (
            <Suspense fallback={<WaitingRows label="Loading the answer" />}>
              <Answer {...scrape.data} request={scrape.variables} />
            </Suspense>
          )}
          {scrape.isIdle && (
            <EmptyState icon="play" title="The data will appear here">
              The form holds an example that works: press “Scrape”, or Ctrl+Enter.
            </EmptyState>
          )}
        </section>
        <HistoryList onChoose={(chosen) => setForm(formOf(chosen))} />
      </div>
    </div>
  );
}

/** Asks for an image after each step, if there are any. */
function withStepScreenshots(body: ScrapeRequest): ScrapeRequest {
  return body.actions && body.actions.length > 0 ? { ...body, stepScreenshots: true } : body;
}

/** Returns the steps of the last scrape, and the images after them. */
function stepsSeenIn({
  variables,
  data,
  error,
}: {
  readonly variables: ScrapeRequest | undefined;
  readonly data: { readonly answer: ResultOf<'scrape'> } | undefined;
  readonly error: unknown;
}) {
  const images = error instanceof GleanerError ? error.stepScreenshots : data?.answer.stepScreenshots;
  return { steps: variables?.actions ?? [], images: images ?? [] };
}

interface Form {
  readonly url: string;
  readonly draft: PageDraft;
}

function formOf(request: Readonly<Record<string, unknown>> | undefined): Form | undefined {
  return request && { url: String(request.url ?? ''), draft: draftOf(request) };
}

/** Returns an id by which the trace of the scrape is found. */
function createRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'error';
}

const HISTORY_QUERY = ['scrape-history'] as const;
const SHOWN = 8;

function HistoryList({ onChoose }: { onChoose(request: PastScrape['request']): void }) {
  const { data = [] } = useQuery({ queryKey: HISTORY_QUERY, queryFn: recall });
  const queries = useQueryClient();
  if (data.length === 0) return null;
  const clear = async () => {
    await forget();
    await queries.invalidateQueries({ queryKey: HISTORY_QUERY });
  };
  return (
    <section className="card" aria-label="History">
      <div className="spread">
        <h2>History</h2>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void clear().catch(() => {})}>
          Forget
        </Button>
      </div>
      <ul className={styles.history}>
        {data.slice(0, SHOWN).map(({ id, at, request, code, durationMs }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(request)}>
              <span className="mono">
                <UrlText url={request.url} />
              </span>
              <span className={`row muted small ${styles.outcome}`}>
                <StatusBadge status={code} />
                {describeDuration(durationMs)}
                <Time at={new Date(at).toISOString()} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A request that was sent, and its outcome. Its data are not kept. */
interface PastScrape {
  readonly id?: number;
  readonly at: number;
  readonly request: Omit<ScrapeRequest, 'headers' | 'cookies'>;
  /** `success` or the code of the error. */
  readonly code: string;
  readonly durationMs: number;
}

const DATABASE = 'gleaner';
const STORE = 'scrapes';
const MAX_ENTRIES = 50;

/** Keeps a request in this browser, without headers and cookies. Browsers that keep nothing lose nothing else. */
async function remember(
  request: ScrapeRequest,
  outcome: Pick<PastScrape, 'code' | 'durationMs'>,
): Promise<void> {
  const { headers, cookies, ...kept } = request;
  try {
    await inStore('readwrite', (store) => store.add({ at: Date.now(), request: kept, ...outcome }));
    const keys = await inStore('readonly', (store) => store.getAllKeys());
    const oldest = keys.at(-MAX_ENTRIES - 1);
    if (oldest !== undefined)
      await inStore('readwrite', (store) => store.delete(IDBKeyRange.upperBound(oldest)));
  } catch {
    // Private windows may refuse; the scrape itself is not affected.
  }
}

/** Returns the requests that were kept, newest first. */
async function recall(): Promise<PastScrape[]> {
  try {
    const entries = await inStore('readonly', (store) => store.getAll() as IDBRequest<PastScrape[]>);
    return entries.reverse();
  } catch {
    return [];
  }
}

async function forget(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(STORE, { keyPath: 'id', autoIncrement: true });
  };
  const database = await finished(opening);
  try {
    return await finished(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function finished<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error('The browser keeps no data.'));
  });
}
