import { GleanerError, type ScrapeRequest, withScheme } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { ReuseMenu } from '../reuse/reuse-menu.tsx';
import { type Draft, describeDraft, type Selectors, selectorsOf, withSelectors } from './draft/draft.ts';
import { FieldEditor } from './field-editor.tsx';
import { FindFields } from './find-fields.tsx';
import type { FurtherPage } from './further-page.tsx';
import { FurtherPages } from './further-pages.tsx';
import type { Work } from './kept-work.ts';
import { NEXT_SELECTORS, type NextLink, nextLinkIn } from './next-link.ts';
import type { KeptPage } from './page/keep-page.ts';
import { PagePane } from './page/page-pane.tsx';
import { marksOf } from './page/use-marks.ts';
import { Candidates } from './picking/candidates.tsx';
import { usePicking } from './picking/use-picking.ts';
import { RecipeButton } from './recipe-button.tsx';
import { RecordTable } from './record-table.tsx';
import { extractionQuery, isShownAtField, useExtraction, useSettled } from './use-extraction.ts';
import styles from './workbench.module.css';

const NO_NODES: readonly number[] = [];

interface BenchProps {
  readonly work: Work;
  readonly page: KeptPage;
  onDraft(update: (draft: Draft) => Draft): void;
  onScrapeAgain(): void;
}

/** One snapshot for picking elements, with the extracted values. */
export function Bench(props: BenchProps) {
  const { work, page, onDraft, onScrapeAgain } = props;
  const { draft, options } = work;
  const [active, setActive] = useState<number>();
  const { further, setFurther, alsoOn, picking, next, read } = useBench(props);
  const { selectors, extraction, values, extracted, records } = read;
  const { picks, suggestions } = picking;
  if ([values.error, suggestions.error].some(isGone)) return <Gone onScrapeAgain={onScrapeAgain} />;
  const request = requestOf(work, selectors);
  return (
    <div className={styles.bench}>
      <PagePane
        page={page}
        picking={picking}
        marks={marksOf({ draft, extracted, active, picks })}
        hasList={draft.list !== undefined}
      />
      <section className={`stack ${styles.fields}`} aria-label="Fields">
        <p aria-live="polite" className={styles.summary}>
          {describeDraft(draft, { records: records.length, picks: picks.wanted.length })}
        </p>
        <Candidates suggestions={suggestions} draft={draft} onChoose={picking.choose} />
        <FindFields
          snapshotId={page.snapshotId}
          alsoOn={alsoOn}
          locale={extraction.locale}
          onFound={(found) => onDraft((now) => withSelectors(now, found))}
        />
        <FieldEditor
          draft={draft}
          extracted={extracted}
          active={active}
          onChange={onDraft}
          error={values.error}
          onActivate={setActive}
        />
        {values.error && !isShownAtField(values.error) ? (
          <ErrorPanel error={values.error} onRetry={values.retry} />
        ) : null}
        {selectors && <SaveMenu request={request} next={next} page={page} read={read} />}
      </section>
      {selectors && (
        <div className={`stack ${styles.values}`}>
          {extracted && <RecordTable draft={draft} extracted={extracted} isStale={values.isStale} />}
          <FurtherPages
            draft={draft}
            options={options}
            extraction={extraction}
            next={next}
            firstUrls={[request.url, page.finalUrl]}
            pages={further}
            onChange={setFurther}
          />
        </div>
      )}
    </div>
  );
}

/** The values of the page, what is picked on it, and further pages for the same fields. */
function useBench({ work, page, onDraft }: BenchProps) {
  const { snapshotId } = page;
  const { draft } = work;
  const [further, setFurther] = useState<readonly FurtherPage[]>([]);
  const read = useValues(page, work);
  const next = useNextLink(page, draft);
  const alsoOn = further.flatMap(({ snapshotId: other }) => other ?? []);
  const picking = usePicking({ snapshotId, alsoOn, draft, records: read.records, onChange: onDraft });
  return { further, setFurther, alsoOn, picking, next, read };
}

/** Values of the page for the draft, and the elements that its list matches. */
function useValues({ snapshotId }: KeptPage, { draft, options }: Work) {
  const selectors = selectorsOf(draft);
  const locale = typeof options.locale === 'string' ? options.locale : undefined;
  const extraction = useSettled({ selectors, locale });
  const values = useExtraction(snapshotId, extraction);
  const extracted = selectors && values.extracted;
  const records = (draft.list && extracted?.matches[draft.list.name.trim()]) ?? NO_NODES;
  return { selectors, extraction, values, extracted, records };
}

/** Finds the link to the next page of the list. */
function useNextLink({ snapshotId, finalUrl }: KeptPage, { list }: Draft): NextLink | undefined {
  const { data } = useQuery({
    ...extractionQuery(snapshotId, { selectors: NEXT_SELECTORS, locale: undefined }),
    enabled: list !== undefined,
  });
  return data && nextLinkIn(data, finalUrl);
}

function requestOf({ url, options }: Work, selectors: Selectors | undefined): ScrapeRequest {
  return { url: withScheme(url.trim()), ...options, ...(selectors && { selectors }) } as ScrapeRequest;
}

function SaveMenu(props: {
  readonly request: ScrapeRequest;
  readonly next: NextLink | undefined;
  readonly page: KeptPage;
  readonly read: ReturnType<typeof useValues>;
}) {
  const { request, next, page, read } = props;
  const { extracted, values } = read;
  return (
    <div className="row">
      <ReuseMenu
        label="Save as"
        request={request}
        forms={['playground', 'job', 'list', 'crawl', 'schedule']}
        next={next?.selector}
        isPrimary
      />
      {extracted && (
        <RecipeButton request={request} page={page} extracted={extracted} isStale={values.isStale} />
      )}
    </div>
  );
}

/** Stands for a page that the service has given up. */
function Gone({ onScrapeAgain }: { onScrapeAgain(): void }) {
  return (
    <EmptyState
      icon="clock"
      title="This page is no longer kept"
      action={<Button onClick={onScrapeAgain}>Scrape it again</Button>}
    >
      Pages are kept for a day, or less when newer pages need the space. Your fields stay as they are.
    </EmptyState>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof GleanerError && error.code === 'SNAPSHOT_NOT_FOUND';
}
