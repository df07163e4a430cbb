import { withScheme } from '@gleaner/client';
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CrawlFields, crawlOf } from './crawl-fields.tsx';
import { takeOver } from './hand-over.ts';
import { draftOf, type PageDraft, requestOf } from './page-draft.ts';
import { PageFields } from './page-fields.tsx';
import { bindTo, problemAt } from './problems.ts';
import { SinkFields } from './sink-fields.tsx';

/** State of a form about pages: the name, the URLs, the request for each of them, and whether their links are followed. */
export interface PageForm {
  readonly name: string;
  readonly urls: string;
  readonly draft: PageDraft;
  readonly isCrawl: boolean;
}

/** Holds the state of a form about pages, initially the request handed over by another view. */
export function usePageForm() {
  const [form, setForm] = useState<PageForm>(() => {
    const start = takeOver() ?? {};
    const urls = [start.url, ...((start.urls as string[]) ?? [])].filter(Boolean).join('\n');
    return { name: '', urls, draft: draftOf(start), isCrawl: start.crawl !== undefined };
  });
  const change = (part: Partial<PageForm>) => setForm((before) => ({ ...before, ...part }));
  return { form, change };
}

/** Returns the request of the form without its URLs, and the URLs. */
export function readPageForm({ name, urls, draft, isCrawl }: PageForm) {
  const { crawl, ...options } = requestOf(draft);
  const request: Record<string, unknown> = {
    ...options,
    ...(name.trim() && { name: name.trim() }),
    ...(isCrawl && { crawl: crawlOf(crawl) }),
  };
  return { request, urls: urlsIn(urls) };
}

/** Returns the URLs of a text with one on each line; those without a scheme get one. */
export function urlsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => withScheme(line.trim()))
    .filter(Boolean);
}

/** Fields for the name and the URLs. */
export function PageFormFields(props: {
  readonly form: PageForm;
  readonly placeholder: string;
  readonly rows: number;
  readonly error: unknown;
  change(part: Partial<PageForm>): void;
}) {
  const { form, placeholder, rows, error, change } = props;
  return (
    <>
      <TextInput
        label="Name"
        placeholder={placeholder}
        {...bindTo(error)('name', form.name, (name) => change({ name }))}
      />
      <Textarea
        label="URLs"
        description="One on each line."
        placeholder="https://example.com/"
        value={form.urls}
        onChange={(event) => change({ urls: event.currentTarget.value })}
        error={problemAt(error, 'urls') ?? problemAt(error, 'url')}
        rows={rows}
        required={form.draft.options.requests === undefined}
      />
    </>
  );
}

/** The choice of a crawl with its options, the fields to extract, and the options of each page. */
export function PageFormOptions(props: {
  readonly form: PageForm;
  /** Schema of the request, such as `CreateJobRequest`. */
  readonly schema: string;
  /** Further options that the form has fields for. */
  readonly except?: readonly string[];
  readonly error: unknown;
  change(part: Partial<PageForm>): void;
}) {
  const { form, schema, except = [], error, change } = props;
  const { draft, isCrawl } = form;
  const set = (option: Readonly<Record<string, unknown>>) =>
    change({ draft: { ...draft, options: { ...draft.options, ...option } } });
  return (
    <>
      <Checkbox
        label="Crawl"
        description="Also scrape the pages that these pages link to."
        checked={isCrawl}
        onChange={(event) => change({ isCrawl: event.currentTarget.checked })}
      />
      {isCrawl && (
        <CrawlFields
          schema={schema}
          crawl={draft.options.crawl}
          error={error}
          onChange={(crawl) => set({ crawl })}
        />
      )}
      <PageFields
        draft={draft}
        schema={schema}
        except={['url', 'urls', 'name', 'crawl', 'sink', ...except]}
        error={error}
        onChange={(next) => change({ draft: next })}
      />
      <SinkFields sink={draft.options.sink} error={error} onChange={(sink) => set({ sink })} />
    </>
  );
}
