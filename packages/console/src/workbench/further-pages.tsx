import type { ScrapeRequest } from '@gleaner/client';
import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { urlsIn } from '../forms/urls-in.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/waiting.tsx';
import { Icon } from '../parts/marks/icons.tsx';
import { columnsOf, type Draft } from './draft/draft.ts';
import { describeFill, type Extracted, fillOf, recordsIn } from './draft/fill.ts';
import { showValue } from './draft/show-value.ts';
import { keepPage } from './page/keep-page.ts';
import { type ExtractionOf, isShownAtField, useExtraction } from './use-extraction.ts';
import styles from './workbench.module.css';

/** Most pages that suggestions can be tested on. */
const MAX_PAGES = 5;

/** Another page of the same kind. */
export interface FurtherPage {
  readonly url: string;
  readonly snapshotId?: string;
  readonly error?: unknown;
}

/** Tests the draft on further pages: each is scraped once and kept, and later changes read it again for nothing. */
export function FurtherPages(props: {
  readonly pages: readonly FurtherPage[];
  /** Options of the scrapes. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly draft: Draft;
  readonly extraction: ExtractionOf;
  onChange(update: (pages: readonly FurtherPage[]) => readonly FurtherPage[]): void;
}) {
  const { pages, options, draft, extraction, onChange } = props;
  const [text, setText] = useState('');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const urls = urlsIn(text).filter((url) => pages.every((page) => page.url !== url));
  const isTooMany = pages.length + urls.length > MAX_PAGES;
  const scrape = async (url: string, signal: AbortSignal) => {
    const outcome = await keepPage({ ...options, url } as ScrapeRequest, signal).then(
      ({ snapshotId }) => ({ snapshotId }),
      (error: unknown) => ({ error }),
    );
    if (!signal.aborted)
      onChange((now) => now.map((page) => (page.url === url ? { url, ...outcome } : page)));
  };
  const test = (tested: readonly string[]) => {
    running.current ??= new AbortController();
    const { signal } = running.current;
    onChange((now) => [...now.filter(({ url }) => !tested.includes(url)), ...tested.map((url) => ({ url }))]);
    void Promise.all(tested.map((url) => scrape(url, signal))).catch(() => {});
  };
  return (
    <section className="card stack" aria-label="Further pages">
      <div>
        <h2>Test on further pages</h2>
        <p className="muted small">
          Each is scraped once, for the usual credits. Later changes are tested on it for nothing, and
          proposals that hold there come first.
        </p>
      </div>
      <form
        className={styles.pages}
        onSubmit={(event) => {
          event.preventDefault();
          test([...new Set(urls)]);
          setText('');
        }}
      >
        <Textarea
          aria-label="URLs of further pages"
          placeholder="https://example.com/?page=2"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isTooMany && `At most ${MAX_PAGES} pages.`}
          rows={2}
          size="xs"
        />
        <Button type="submit" variant="default" disabled={urls.length === 0 || isTooMany}>
          Test
        </Button>
      </form>
      {pages.map((page) => (
        <Page
          key={page.url}
          {...{ page, draft, extraction }}
          onRetry={() => test([page.url])}
          onRemove={() => onChange((now) => now.filter(({ url }) => url !== page.url))}
        />
      ))}
    </section>
  );
}

function Page(props: {
  readonly page: FurtherPage;
  readonly draft: Draft;
  readonly extraction: ExtractionOf;
  onRetry(): void;
  onRemove(): void;
}) {
  const { page, draft, extraction, onRetry, onRemove } = props;
  const { url, snapshotId = '', error } = page;
  const isKept = snapshotId !== '';
  const values = useExtraction(snapshotId, isKept ? extraction : { ...extraction, selectors: undefined });
  const problem = error ?? (isShownAtField(values.error) ? undefined : values.error);
  return (
    <article className="stack-tight" aria-label={url}>
      <div className="spread" style={{ flexWrap: 'nowrap' }}>
        <h3 className="clip mono">{url}</h3>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={`Remove ${url}`}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </Button>
      </div>
      {problem ? (
        <ErrorPanel error={problem} onRetry={onRetry} />
      ) : values.extracted ? (
        <Values extracted={values.extracted} draft={draft} />
      ) : (
        !isKept && <WaitingRows label={`Scraping ${url}`} rows={2} />
      )}
    </article>
  );
}

function Values({ extracted, draft }: { readonly extracted: Extracted; readonly draft: Draft }) {
  const { list } = draft;
  const count = recordsIn(extracted, draft).length;
  return (
    <>
      {list && (
        <p className="small">
          {count} {count === 1 ? 'record' : 'records'}
        </p>
      )}
      <dl className={styles.fills}>
        {columnsOf(draft).map((column) => {
          const fill = fillOf(extracted, draft, column);
          return (
            <div key={column.key}>
              <dt className="clip">{column.name}</dt>
              <dd className={fill.filled < fill.total || fill.total === 0 ? 'bad' : undefined}>
                {describeFill(fill)}
              </dd>
              <dd className="muted clip">{fill.samples.map(showValue).join(' · ')}</dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}
