import { type ResultOf, withScheme } from '@gleaner/client';
import { Button, FileButton, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, type FormEvent, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { OptionFields } from '../forms/option-fields.tsx';
import { EMPTY_DRAFT, requestOf } from '../forms/page-draft.ts';
import { SelectorRows } from '../forms/page-fields.tsx';
import { bindTo } from '../forms/problems.ts';
import { useOpenApi } from '../forms/use-openapi.ts';
import { Facts } from '../parts/data/facts.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { PageNotes } from '../results/page-notes.tsx';
import { ResultTabs } from '../results/result-tabs.tsx';
import { tableTabs } from '../results/table-tabs.tsx';
import { WarningList } from '../results/warning-list.tsx';
import styles from './playground.module.css';

/** A file that was chosen: it may be too large to be shown as text. */
interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

/** HTML that is here already: a form that takes it pasted, chosen or dropped, and what is extracted from it. */
export function OwnHtml() {
  const { data: openApi } = useOpenApi();
  const [typed, setTyped] = useState('');
  const [file, setFile] = useState<ChosenFile>();
  const [url, setUrl] = useState('');
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const html = file?.text ?? typed;
  const extract = useMutation({
    mutationFn: () =>
      gleaner.call('extract', {
        body: { html, ...(url.trim() && { url: withScheme(url.trim()) }), ...requestOf(draft) },
      }),
  });
  const take = async (chosen: File | null | undefined) => {
    if (chosen) setFile({ name: chosen.name, text: await chosen.text() });
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]).catch(() => {});
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    extract.mutate();
  };
  const { error, isPending, data } = extract;
  const bind = bindTo(error);
  return (
    <div className={styles.columns}>
      <form
        className={`card ${styles.form}`}
        aria-label="Extract"
        onSubmit={onSubmit}
        onDrop={onDrop}
        onDragOver={(event) => event.preventDefault()}
      >
        {file ? (
          <div className="spread">
            <span>
              {file.name} <span className="muted small">{file.text.length.toLocaleString()} characters</span>
            </span>
            <Button size="compact-sm" variant="subtle" onClick={() => setFile(undefined)}>
              Remove
            </Button>
          </div>
        ) : (
          <Textarea
            label="HTML"
            description="Paste it, or drop a file anywhere on this form."
            placeholder="<h1>Kettle</h1>"
            {...bind('html', typed, setTyped)}
            rows={8}
            classNames={{ input: 'mono' }}
            spellCheck={false}
          />
        )}
        <div>
          <FileButton
            accept=".html,.htm,.xhtml,text/html"
            onChange={(chosen) => void take(chosen).catch(() => {})}
          >
            {(props) => (
              <Button {...props} size="xs" variant="default">
                Choose a file
              </Button>
            )}
          </FileButton>
        </div>
        <TextInput
          label="Address of the page"
          description="Links are relative to it. It is not fetched."
          placeholder="example.com"
          inputMode="url"
          {...bind('url', url, setUrl)}
        />
        <SelectorRows
          fields={draft.fields}
          error={error}
          onChange={(fields) => setDraft({ ...draft, fields })}
        />
        <OptionFields
          schema={openApi?.components.schemas.ScrapeRequest}
          only={['formats', 'locale']}
          values={draft.options}
          error={error}
          onChange={(options) => setDraft({ ...draft, options })}
        />
        <div className={styles.actions}>
          <Button type="submit" loading={isPending} disabled={html === ''}>
            Extract
          </Button>
        </div>
      </form>
      <section className="stack" aria-label="Answer" aria-busy={isPending}>
        {isPending && <WaitingRows label="Reading the HTML" />}
        {error && !isPending && <ErrorPanel error={error} onRetry={() => extract.mutate()} />}
        {data && !isPending && <Extracted result={data} selectors={requestOf(draft).selectors} />}
        {extract.isIdle && (
          <EmptyState icon="play" title="The data will appear here">
            Nothing is fetched, and it costs nothing.
          </EmptyState>
        )}
      </section>
    </div>
  );
}

function Extracted(props: { readonly result: ResultOf<'extract'>; readonly selectors: unknown }) {
  const { result, selectors } = props;
  const { data, formats, metadata, warnings } = result;
  return (
    <>
      <div className="card">
        <Facts facts={{ Time: describeDuration(metadata.duration), Charged: 'nothing' }} />
      </div>
      <PageNotes metadata={metadata} />
      <WarningList warnings={warnings} />
      <ResultTabs {...{ data, formats, selectors }} before={tableTabs(data)} />
    </>
  );
}
