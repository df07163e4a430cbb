import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Icon } from '../parts/marks/icons.tsx';
import styles from './forms.module.css';
import { type FieldDraft, newField } from './page-draft.ts';
import { problemAt } from './problems.ts';

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
            value={selector}
            onChange={(event) => change(key, { selector: event.currentTarget.value })}
            error={problemAt(error, `selectors.${name}`)}
            size="xs"
            classNames={{ input: styles.code ?? '' }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
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
