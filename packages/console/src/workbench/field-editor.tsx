import { ActionIcon, Button, TextInput } from '@mantine/core';
import { problemAt } from '../forms/problems.ts';
import { Icon } from '../parts/marks/icons.tsx';
import { ColumnEditor, type EditorProps } from './column-editor.tsx';
import { addColumn, type Draft, newColumn } from './draft/draft.ts';
import styles from './workbench.module.css';

/** Edits the list, its columns and the single values, each with what it yields now. */
export function FieldEditor(props: EditorProps) {
  const { draft, error, onChange } = props;
  const { list, values, others = {} } = draft;
  const taken = Object.keys(others);
  return (
    <div className="stack">
      {list && (
        <fieldset className={styles.group} aria-label="List">
          <div className={styles.list}>
            <TextInput
              label="List"
              value={list.name}
              onChange={({ currentTarget: { value: name } }) => onChange((now) => withList(now, { name }))}
              error={list.name.trim() === '' && 'The list needs a name.'}
              size="xs"
            />
            <TextInput
              label="Selector of the records"
              value={list.selector}
              onChange={({ currentTarget: { value: selector } }) =>
                onChange((now) => withList(now, { selector }))
              }
              error={problemAt(error, `selectors.${list.name.trim()}.selector`)}
              classNames={{ input: 'mono' }}
              size="xs"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Remove the list"
              onClick={() => onChange(({ list: _removed, ...kept }) => kept)}
            >
              <Icon name="close" size={15} />
            </ActionIcon>
          </div>
          {list.columns.map((column) => (
            <ColumnEditor
              key={column.key}
              {...props}
              column={column}
              path={`selectors.${list.name.trim()}.fields.${column.name.trim()}`}
            />
          ))}
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => onChange((now) => addColumn(now, newColumn()))}
            style={{ alignSelf: 'flex-start' }}
          >
            Add a column
          </Button>
        </fieldset>
      )}
      {values.length > 0 && (
        <fieldset className={styles.group} aria-label="Single values">
          <h3>Single values</h3>
          {values.map((value) => (
            <ColumnEditor key={value.key} {...props} column={value} path={`selectors.${value.name.trim()}`} />
          ))}
        </fieldset>
      )}
      {taken.length > 0 && (
        <p className="muted small">Other fields of the request, kept as they are: {taken.join(', ')}.</p>
      )}
    </div>
  );
}

function withList(draft: Draft, part: { readonly name?: string; readonly selector?: string }): Draft {
  return draft.list ? { ...draft, list: { ...draft.list, ...part } } : draft;
}
