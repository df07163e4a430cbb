import { useState } from 'react';
import styles from './forms.module.css';
import { OptionFields } from './option-fields.tsx';
import type { PageDraft } from './page-draft.ts';
import { SelectorRows } from './selector-rows.tsx';
import { useOpenApi } from './use-openapi.ts';

/** Edits the fields to extract, and below them the options of the API's own schema. */
export function PageFields(props: {
  readonly draft: PageDraft;
  /** Schema of the request, such as `ScrapeRequest`. */
  readonly schema: string;
  /** Options that the form around it has fields for. */
  readonly except: readonly string[];
  readonly error?: unknown;
  onChange(draft: PageDraft): void;
}) {
  const { draft, schema, except, error, onChange } = props;
  const { data: openApi } = useOpenApi();
  const count = Object.entries(draft.options).filter(
    ([name, value]) => !except.includes(name) && value !== undefined && value !== false && value !== '',
  ).length;
  // Options that came from another view are shown, or they would be overlooked.
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <>
      <SelectorRows
        fields={draft.fields}
        error={error}
        onChange={(fields) => onChange({ ...draft, fields })}
      />
      <details
        className={styles.details}
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>Options {count > 0 && <span className={styles.count}>{count} set</span>}</summary>
        <OptionFields
          schema={openApi?.components.schemas[schema]}
          except={['selectors', ...except]}
          values={draft.options}
          error={error}
          onChange={(options) => onChange({ ...draft, options })}
        />
      </details>
    </>
  );
}
