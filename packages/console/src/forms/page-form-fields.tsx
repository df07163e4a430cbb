import { withScheme } from '@gleaner/client';
import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { takeOver } from './hand-over.ts';
import { draftOf, type PageDraft, requestOf } from './page-draft.ts';
import { problemAt } from './problems.ts';

/** State of a form about pages: the name, the URLs, and the request for each of them. */
export interface PageForm {
  readonly name: string;
  readonly urls: string;
  readonly draft: PageDraft;
}

/** Keeps the state of a form about pages, which starts with the request that another view hands over. */
export function usePageForm() {
  const [form, setForm] = useState<PageForm>(() => {
    const start = takeOver() ?? {};
    const urls = [start.url, ...((start.urls as string[]) ?? [])].filter(Boolean).join('\n');
    return { name: '', urls, draft: draftOf(start) };
  });
  const change = (part: Partial<PageForm>) => setForm((before) => ({ ...before, ...part }));
  return { form, change };
}

/** Returns the request of the form without its URLs, and the URLs. */
export function readPageForm({ name, urls, draft }: PageForm) {
  const request: Record<string, unknown> = { ...requestOf(draft), ...(name.trim() && { name: name.trim() }) };
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
        value={form.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={problemAt(error, 'name')}
      />
      <Textarea
        label="URLs"
        description="One on each line."
        placeholder="https://example.com/"
        value={form.urls}
        onChange={(event) => change({ urls: event.currentTarget.value })}
        error={problemAt(error, 'urls') ?? problemAt(error, 'url')}
        rows={rows}
        required
        withAsterisk={false}
      />
    </>
  );
}
