import { GleanerError, type ScrapeRequest, withScheme } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { ReuseMenu } from '../reuse/reuse-menu.tsx';
import { tablesIn } from '../tables/tables-in.ts';
import { VirtualTable } from '../tables/virtual-table.tsx';
import { type Draft, describeDraft, selectorsOf } from './draft/draft.ts';
import { type Extracted, recordsIn } from './draft/fill.ts';
import { FieldEditor } from './field-editor.tsx';
import { type FurtherPage, FurtherPages } from './further-pages.tsx';
import type { Work } from './kept-work.ts';
import { NEXT_SELECTORS, nextLinkIn } from './next-link.ts';
import type { KeptPage } from './page/keep-page.ts';
import { PagePane } from './page/page-pane.tsx';
import { marksOf } from './page/use-marks.ts';
import { Candidates } from './picking/candidates.tsx';
import { usePicking } from './picking/use-picking.ts';
import { extractionQuery, isShownAtField, useExtraction, useSettled } from './use-extraction.ts';
import styles from './workbench.module.css';

const NO_NODES: readonly number[] = [];

/** One snapshot on which elements are picked, with what they yield. */
export function Bench(props: {
  readonly work: Work;
  readonly page: KeptPage;
  onDraft(update: (draft: Draft) => Draft): void;
  onScrapeAgain(): void;
}) {
  const { work, page, onDraft, onScrapeAgain } = props;
  const { url, draft, options } = work;
  const [active, setActive] = useState<number>();
  const [further, setFurther] = useState<readonly FurtherPage[]>([]);
  const selectors = selectorsOf(draft);
  const locale = typeof options.locale === 'string' ? options.locale : undefined;
  const extraction = useSettled({ selectors, locale });
  const values = useExtraction(page.snapshotId, extraction);
  const extracted = selectors && values.extracted;
  const records = (draft.list && extracted?.matches[draft.list.name.trim()]) ?? NO_NODES;
  const found = useQuery({
    ...extractionQuery(page.snapshotId, { selectors: NEXT_SELECTORS, locale: undefined }),
    enabled: draft.list !== undefined,
  });
  const next = found.data && nextLinkIn(found.data, page.finalUrl);
  const picking = usePicking({
    snapshotId: page.snapshotId,
    alsoOn: further.flatMap(({ snapshotId }) => snapshotId ?? []),
    ...{ draft, records, onChange: onDraft },
  });
  const { picks, suggestions } = picking;
  if ([values.error, suggestions.error].some(isGone)) return <Gone onScrapeAgain={onScrapeAgain} />;
  const request = {
    url: withScheme(url.trim()),
    ...options,
    ...(selectors && { selectors }),
  } as ScrapeRequest;
  return (
    <div className={styles.bench}>
      <PagePane
        {...{ page, picking }}
        marks={marksOf({ draft, extracted, active, picks })}
        hasList={draft.list !== undefined}
      />
      <section className={`stack ${styles.fields}`} aria-label="Fields">
        <p aria-live="polite" className={styles.summary}>
          {describeDraft(draft, { records: records.length, picks: picks.wanted.length })}
        </p>
        <Candidates suggestions={suggestions} draft={draft} onChoose={picking.choose} />
        <FieldEditor
          {...{ draft, extracted, active, onChange: onDraft }}
          error={values.error}
          onActivate={setActive}
        />
        {values.error && !isShownAtField(values.error) ? (
          <ErrorPanel error={values.error} onRetry={values.retry} />
        ) : null}
        {selectors && (
          <div className="row">
            <ReuseMenu
              label="Save as"
              request={request}
              forms={['playground', 'job', 'list', 'crawl', 'schedule']}
              next={next?.selector}
              isPrimary
            />
          </div>
        )}
      </section>
      {selectors && (
        <div className={`stack ${styles.values}`}>
          {extracted && <RecordTable draft={draft} extracted={extracted} isStale={values.isStale} />}
          <FurtherPages
            {...{ draft, options, extraction, next }}
            firstUrls={[request.url, page.finalUrl]}
            pages={further}
            onChange={setFurther}
          />
        </div>
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

/** The records as the service returns them. */
function RecordTable(props: {
  readonly draft: Draft;
  readonly extracted: Extracted;
  /** True while the values for the last change are still being read. */
  readonly isStale: boolean;
}) {
  const { draft, extracted, isStale } = props;
  const { list } = draft;
  if (!list || recordsIn(extracted, draft).length === 0) return null;
  const name = list.name.trim();
  const [table] = tablesIn({ [name]: extracted.data?.[name] });
  if (!table) return null;
  return (
    <section
      className="stack-tight"
      aria-label="Values"
      aria-busy={isStale}
      style={{ opacity: isStale ? 0.6 : 1 }}
    >
      <h2>Values</h2>
      <VirtualTable label={name} columns={table.columns} rows={table.rows} />
    </section>
  );
}
