import type { ScrapeRequest } from '@gleaner/client';
import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { urlsIn } from '../forms/page-form-fields.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { Icon } from '../parts/marks/icons.tsx';
import { columnsOf, type Draft } from './draft/draft.ts';
import { describeFill, type Extracted, fillOf, recordsIn, showValue } from './draft/fill.ts';
import type { NextLink } from './next-link.ts';
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
  /** Addresses of the page itself, which is not scraped again. */
  readonly firstUrls: readonly string[];
  /** Link to the next page of the list, where one was found. */
  readonly next: NextLink | undefined;
  /** Options of the scrapes. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly draft: Draft;
  readonly extraction: ExtractionOf;
  onChange(update: (pages: readonly FurtherPage[]) => readonly FurtherPage[]): void;
}) {
  const { pages, firstUrls, next, options, draft, extraction, onChange } = props;
  const [text, setText] = useState('');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const isKnown = (url: string) =>
    [...firstUrls, ...pages.map((page) => page.url)].some((known) => isSamePage(known, url));
  const urls = urlsIn(text).filter((url) => !isKnown(url));
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
          Each page is scraped once, for the usual credits. After that, every change is tested on it for free,
          and selectors that work there are proposed first.
        </p>
        {next && (
          <p className="small">
            The link to the next page is <code>{next.selector}</code>. “Save as” offers a crawl of the whole
            list.{' '}
            {!isKnown(next.url) && (
              <Button size="compact-xs" variant="default" onClick={() => test([next.url])}>
                Test on the next page
              </Button>
            )}
          </p>
        )}
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

/** Returns true for two addresses of one page: a fragment does not count. */
function isSamePage(one: string, other: string): boolean {
  const [left, right] = [one, other].map((url) => URL.parse(url)?.href.split('#', 1)[0]);
  return left !== undefined && left === right;
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
