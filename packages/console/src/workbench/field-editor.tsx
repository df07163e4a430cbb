import { ActionIcon, Button, TextInput } from '@mantine/core';
import { problemAt } from '../forms/problems.ts';
import { Icon } from '../parts/marks/icons.tsx';
import { ColumnEditor, type EditorProps } from './column-editor.tsx';
import { addColumn, type Draft, newColumn, type RecordList } from './draft/draft.ts';
import styles from './workbench.module.css';

/** Edits the list, its columns and the single values, each with what it yields now. */
export function FieldEditor(props: EditorProps) {
  const { list, values, others = {} } = props.draft;
  const taken = Object.keys(others);
  return (
    <div className="stack">
      {list && <ListEditor {...props} list={list} />}
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

/** Edits the name and the selector of the list, and its columns. */
function ListEditor(props: EditorProps & { readonly list: RecordList }) {
  const { list, error, onChange } = props;
  const change = (part: Partial<RecordList>) => onChange((now) => withList(now, part));
  return (
    <fieldset className={styles.group} aria-label="List">
      <div className={styles.list}>
        <TextInput
          label="List"
          value={list.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={list.name.trim() === '' && 'The list needs a name.'}
          size="xs"
        />
        <TextInput
          label="Selector of the records"
          value={list.selector}
          onChange={(event) => change({ selector: event.currentTarget.value })}
          error={problemAt(error, `selectors.${list.name.trim()}.selector`)}
          classNames={{ input: 'mono' }}
          size="xs"
        />
        <ActionIcon
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
  );
}

function withList(draft: Draft, part: Partial<RecordList>): Draft {
  return draft.list ? { ...draft, list: { ...draft.list, ...part } } : draft;
}
