import { type ResultOf, withScheme } from '@gleaner/client';
import { Button, FileButton, Textarea, TextInput } from '@mantine/core';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
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

/** A form for HTML pasted, chosen or dropped, with the data extracted from it. */
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
  const { error, isPending } = extract;
  const bind = bindTo(error);
  return (
    <div className={styles.columns}>
      <DropForm isPending={isPending} isEmpty={html === ''} onFile={setFile} onSubmit={extract.mutate}>
        {file ? (
          <FileName file={file} onRemove={() => setFile(undefined)} />
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
        <FileChoice onFile={setFile} />
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
      </DropForm>
      <ExtractAnswer extract={extract} selectors={requestOf(draft).selectors} />
    </div>
  );
}

/** A form that takes a file dropped on it. */
function DropForm(props: {
  readonly isPending: boolean;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
  onFile(file: ChosenFile): void;
  onSubmit(): void;
}) {
  const { isPending, isEmpty, children, onFile, onSubmit } = props;
  return (
    <form
      className={`card ${styles.form}`}
      aria-label="Extract"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onDrop={(event) => {
        event.preventDefault();
        readChosen(event.dataTransfer.files[0], onFile);
      }}
      onDragOver={(event) => event.preventDefault()}
    >
      {children}
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={isEmpty}>
          Extract
        </Button>
      </div>
    </form>
  );
}

function FileChoice({ onFile }: { onFile(file: ChosenFile): void }) {
  return (
    <div>
      <FileButton accept=".html,.htm,.xhtml,text/html" onChange={(chosen) => readChosen(chosen, onFile)}>
        {(props) => (
          <Button {...props} size="xs" variant="default">
            Choose a file
          </Button>
        )}
      </FileButton>
    </div>
  );
}

function FileName({ file: { name, text }, onRemove }: { readonly file: ChosenFile; onRemove(): void }) {
  return (
    <div className="spread">
      <span>
        {name} <span className="muted small">{text.length.toLocaleString()} characters</span>
      </span>
      <Button size="compact-sm" variant="subtle" onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

/** Reads a file; one that cannot be read changes nothing. */
function readChosen(chosen: File | null | undefined, onFile: (file: ChosenFile) => void): void {
  chosen?.text().then(
    (text) => onFile({ name: chosen.name, text }),
    () => {},
  );
}

function ExtractAnswer(props: {
  readonly extract: UseMutationResult<ResultOf<'extract'>, Error, void>;
  readonly selectors: unknown;
}) {
  const {
    extract: { data, error, isPending, isIdle, mutate },
    selectors,
  } = props;
  return (
    <section className="stack" aria-label="Answer" aria-busy={isPending}>
      {isPending && <WaitingRows label="Reading the HTML" />}
      {error && !isPending && <ErrorPanel error={error} onRetry={() => mutate()} />}
      {data && !isPending && <Extracted result={data} selectors={selectors} />}
      {isIdle && (
        <EmptyState icon="play" title="The data will appear here">
          Nothing is fetched, and it costs nothing.
        </EmptyState>
      )}
    </section>
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
      <ResultTabs data={data} formats={formats} selectors={selectors} before={tableTabs(data)} />
    </>
  );
}
