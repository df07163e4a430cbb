import { type ScrapeRequest, withScheme } from '@gleaner/client';
import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { StepsSeen } from '../forms/action-list.tsx';
import { takeOver } from '../forms/hand-over.ts';
import { draftOf, EMPTY_DRAFT, type PageDraft, requestOf } from '../forms/page-draft.ts';
import { PageFields } from '../forms/page-fields.tsx';
import { bindTo } from '../forms/problems.ts';
import { useExample } from '../forms/use-openapi.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { HistoryList } from './history-list.tsx';
import styles from './playground.module.css';
import { stepsSeenIn, useScrape } from './use-scrape.ts';

const Answer = lazy(() => import('./answer.tsx').then(({ Answer }) => ({ default: Answer })));
const ReuseMenu = lazy(() =>
  import('../reuse/reuse-menu.tsx').then(({ ReuseMenu }) => ({ default: ReuseMenu })),
);

type Scrape = ReturnType<typeof useScrape>;

/** A form for a page to scrape, its answer, and the history of both. */
export function PageOnTheWeb() {
  const [form, setForm] = useState(() => formOf(takeOver()));
  const onUse = useExample('/v1/scrape', (example) =>
    setForm((before) => before ?? formOf({ ...example, formats: undefined })),
  );
  const { url, draft } = form ?? { url: '', draft: EMPTY_DRAFT };
  const request = { url: withScheme(url.trim()), ...requestOf(draft) } as ScrapeRequest;
  const scrape = useScrape();
  const run = () => scrape.mutate(request);
  return (
    <div className={styles.columns}>
      <ScrapeForm
        url={url}
        draft={draft}
        request={request}
        scrape={scrape}
        onUse={onUse}
        onChange={setForm}
        onRun={run}
      />
      <div className="stack">
        <ScrapeAnswer scrape={scrape} onRetry={run} />
        <HistoryList onChoose={(chosen) => setForm(formOf(chosen))} />
      </div>
    </div>
  );
}

interface Form {
  readonly url: string;
  readonly draft: PageDraft;
}

function formOf(request: Readonly<Record<string, unknown>> | undefined): Form | undefined {
  return request && { url: String(request.url ?? ''), draft: draftOf(request) };
}

function ScrapeForm(
  props: Form & {
    /** The request of the form. */
    readonly request: ScrapeRequest;
    readonly scrape: Scrape;
    onUse(): void;
    onChange(form: Form): void;
    onRun(): void;
  },
) {
  const { url, draft, request, scrape, onUse, onChange, onRun } = props;
  const { error, isPending } = scrape;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onRun();
  };
  return (
    <form
      className={`card ${styles.form}`}
      aria-label="Scrape"
      onFocus={onUse}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      <TextInput
        label="URL"
        placeholder="example.com"
        inputMode="url"
        {...bindTo(error)('url', url, (text) => onChange({ url: text, draft }))}
        required
      />
      <StepsSeen value={stepsSeenIn(scrape)}>
        <PageFields
          draft={draft}
          schema="ScrapeRequest"
          except={['url', 'stepScreenshots']}
          error={error}
          onChange={(next) => onChange({ url, draft: next })}
        />
      </StepsSeen>
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={url.trim() === ''}>
          Scrape
        </Button>
        <Suspense>
          <ReuseMenu label="Use it elsewhere" request={request} forms={['workbench', 'job', 'schedule']} />
        </Suspense>
      </div>
    </form>
  );
}

/** The answer of the last scrape, which comes into sight when it changes. */
function ScrapeAnswer({ scrape, onRetry }: { readonly scrape: Scrape; onRetry(): void }) {
  const { data, error, variables, isPending, isIdle } = scrape;
  const place = useRef<HTMLElement>(null);
  // The form may be longer than the window, and the answer out of sight.
  useEffect(() => {
    if (isPending || !isIdle) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isPending, isIdle]);
  return (
    <section ref={place} aria-label="Answer" aria-busy={isPending}>
      {isPending && <WaitingRows label="Scraping the page" />}
      {error && !isPending && <ErrorPanel error={error} onRetry={onRetry} />}
      {data && !isPending && (
        <Suspense fallback={<WaitingRows label="Loading the answer" />}>
          <Answer {...data} request={variables} />
        </Suspense>
      )}
      {isIdle && (
        <EmptyState icon="play" title="The data will appear here">
          The form holds an example that works: press “Scrape”, or Ctrl+Enter.
        </EmptyState>
      )}
    </section>
  );
}
