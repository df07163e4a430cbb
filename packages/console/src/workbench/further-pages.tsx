import type { ScrapeRequest } from '@gleaner/client';
import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { urlsIn } from '../forms/page-form-fields.tsx';
import type { Draft } from './draft/draft.ts';
import { type FurtherPage, FurtherPageValues } from './further-page.tsx';
import type { NextLink } from './next-link.ts';
import { keepPage } from './page/keep-page.ts';
import type { ExtractionOf } from './use-extraction.ts';
import styles from './workbench.module.css';

/** Most pages that suggestions can be tested on. */
const MAX_PAGES = 5;

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
  const test = useTests(options, onChange);
  const isKnown = (url: string) =>
    [...firstUrls, ...pages.map((page) => page.url)].some((known) => isSamePage(known, url));
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
      <UrlForm isKnown={isKnown} most={MAX_PAGES - pages.length} onTest={test} />
      {pages.map((page) => (
        <FurtherPageValues
          key={page.url}
          page={page}
          draft={draft}
          extraction={extraction}
          onRetry={() => test([page.url])}
          onRemove={() => onChange((now) => now.filter(({ url }) => url !== page.url))}
        />
      ))}
    </section>
  );
}

/** Returns a function that scrapes pages and adds them to the others. */
function useTests(
  options: Readonly<Record<string, unknown>>,
  onChange: (update: (pages: readonly FurtherPage[]) => readonly FurtherPage[]) => void,
) {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const scrape = async (url: string, signal: AbortSignal) => {
    const outcome = await keepPage({ ...options, url } as ScrapeRequest, signal).then(
      ({ snapshotId }) => ({ snapshotId }),
      (error: unknown) => ({ error }),
    );
    if (!signal.aborted)
      onChange((now) => now.map((page) => (page.url === url ? { url, ...outcome } : page)));
  };
  return (tested: readonly string[]) => {
    running.current ??= new AbortController();
    const { signal } = running.current;
    onChange((now) => [...now.filter(({ url }) => !tested.includes(url)), ...tested.map((url) => ({ url }))]);
    void Promise.all(tested.map((url) => scrape(url, signal))).catch(() => {});
  };
}

/** Takes the URLs of pages that are not tested yet. */
function UrlForm(props: {
  /** Number of pages that can be added. */
  readonly most: number;
  isKnown(url: string): boolean;
  onTest(urls: readonly string[]): void;
}) {
  const { most, isKnown, onTest } = props;
  const [text, setText] = useState('');
  const urls = urlsIn(text).filter((url) => !isKnown(url));
  const isTooMany = urls.length > most;
  return (
    <form
      className={styles.pages}
      onSubmit={(event) => {
        event.preventDefault();
        onTest([...new Set(urls)]);
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
  );
}

/** Returns true for two addresses of one page: a fragment does not count. */
function isSamePage(one: string, other: string): boolean {
  const [left, right] = [one, other].map((url) => URL.parse(url)?.href.split('#', 1)[0]);
  return left !== undefined && left === right;
}
