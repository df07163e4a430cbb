import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../parts/marks/icons.tsx';
import styles from './forms.module.css';
import { OptionFields } from './option-fields.tsx';
import { type FieldDraft, newField, type PageDraft } from './page-draft.ts';
import { bindTo } from './problems.ts';
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

/** The fields of the data, each with its selector. */
export function SelectorRows(props: {
  readonly fields: readonly FieldDraft[];
  readonly error?: unknown;
  onChange(fields: readonly FieldDraft[]): void;
}) {
  const { fields, error, onChange } = props;
  const change = (key: number, part: Partial<FieldDraft>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...part } : field)));
  return (
    <fieldset className={styles.group}>
      <legend>Fields</legend>
      {fields.length === 0 && (
        <p className="muted small">
          Without fields, you get the title, description, text and links of the page.
        </p>
      )}
      {fields.map(({ key, name, selector }, index) => (
        <div key={key} className={styles.field}>
          <TextInput
            aria-label={`Name of field ${index + 1}`}
            placeholder="title"
            value={name}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
            size="xs"
          />
          <TextInput
            aria-label={`Selector of field ${index + 1}`}
            placeholder="h1, or a::attr(href)::all"
            {...bindTo(error)(`selectors.${name}`, selector, (text) => change(key, { selector: text }))}
            size="xs"
            classNames={{ input: 'mono' }}
          />
          <ActionIcon
            aria-label={`Remove field ${name || index + 1}`}
            onClick={() => onChange(fields.filter((field) => field.key !== key))}
          >
            <Icon name="close" size={15} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => onChange([...fields, newField()])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add a field
      </Button>
    </fieldset>
  );
}
