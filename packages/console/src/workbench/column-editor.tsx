import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { bindTo } from '../forms/problems.ts';
import { Icon } from '../parts/marks/icons.tsx';
import { type Column, changeColumn, type Draft, readTyped, removeColumn } from './draft/draft.ts';
import { describeFill, type Extracted, fillOf, showValue } from './draft/fill.ts';
import styles from './workbench.module.css';

const ATTRIBUTES = ['href', 'src', 'alt', 'title', 'content', 'datetime', 'value'];
const TYPES = [
  ...['string', 'number', 'integer', 'price', 'boolean', 'date', 'datetime', 'url'],
  ...['json', 'table', 'rows', 'markdown', 'count'],
];

/** State and handlers of the editors of all columns. */
export interface EditorProps {
  readonly draft: Draft;
  /** Values for the draft; undefined before the first ones. */
  readonly extracted: Extracted | undefined;
  readonly error: unknown;
  /** Key of the column that is marked in the page. */
  readonly active: number | undefined;
  onActivate(key: number | undefined): void;
  onChange(update: (draft: Draft) => Draft): void;
}

/** Edits one column or single value, with what it yields now. */
export function ColumnEditor(props: EditorProps & { readonly column: Column; readonly path: string }) {
  const { draft, extracted, error, active, column, path, onActivate, onChange } = props;
  const { key, name, selector, take, type } = column;
  const change = (part: Partial<Omit<Column, 'key'>>) => onChange((now) => changeColumn(now, key, part));
  const called = name || 'without a name';
  return (
    <fieldset
      aria-label={`Field ${called}`}
      className={styles.column}
      data-active={key === active || undefined}
      onFocus={() => onActivate(key)}
    >
      <div className={styles.columnHead}>
        <TextInput
          aria-label={`Name of ${called}`}
          placeholder="name"
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={nameProblem(column, draft)}
          size="xs"
        />
        <NativeSelect
          aria-label={`What to take for ${called}`}
          data={takesWith(take)}
          value={take}
          onChange={(event) => change({ take: event.currentTarget.value })}
          size="xs"
        />
        <NativeSelect
          aria-label={`Type of ${called}`}
          data={[{ value: '', label: 'as it is' }, ...TYPES]}
          value={type}
          onChange={(event) => change({ type: event.currentTarget.value })}
          size="xs"
        />
        <ActionIcon aria-label={`Remove ${called}`} onClick={() => onChange((now) => removeColumn(now, key))}>
          <Icon name="close" size={15} />
        </ActionIcon>
      </div>
      <TextInput
        aria-label={`Selector of ${called}`}
        placeholder={path.includes('.fields.') ? ':scope is the record' : 'h1'}
        {...bindTo(error)(path, selector, (text) => change(readTyped(text)))}
        classNames={{ input: 'mono' }}
        size="xs"
      />
      {extracted && <Yield draft={draft} extracted={extracted} column={column} />}
    </fieldset>
  );
}

/** Returns what can be taken from an element; other attributes are typed behind the selector. */
function takesWith(take: string) {
  const [, own] = /^attr\((.*)\)$/.exec(take) ?? [];
  const names = own === undefined || ATTRIBUTES.includes(own) ? ATTRIBUTES : [...ATTRIBUTES, own];
  const items = names.map((name) => ({ value: `attr(${name})`, label: name }));
  return ['text', 'html', { group: 'Attribute', items }];
}

/** The share of the records that have a value, and the first values. */
function Yield({ draft, extracted, column }: { draft: Draft; extracted: Extracted; column: Column }) {
  const fill = fillOf(extracted, draft, column);
  const share = fill.total === 0 ? 0 : fill.filled / fill.total;
  const words = describeFill(fill);
  const field = draft.list?.columns.includes(column)
    ? `${draft.list.name.trim()}.${column.name.trim()}`
    : column.name.trim();
  const warning = extracted.warnings?.find((each) => each.field === field);
  return (
    <div className={styles.yield}>
      <span className={styles.fill} data-tone={share === 1 ? 'good' : share >= 0.5 ? 'warn' : 'bad'}>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span className="small" style={{ whiteSpace: 'nowrap' }}>
        {words}
      </span>
      <span className="muted small clip">{fill.samples.map(showValue).join(' · ')}</span>
      {warning && <span className={styles.warning}>{warning.message}</span>}
    </div>
  );
}

function nameProblem({ key, name }: Column, draft: Draft): string | undefined {
  if (name.trim() === '') return 'A name is missing.';
  const { list, values } = draft;
  const siblings = list?.columns.some((column) => column.key === key)
    ? list.columns
    : [...values, ...(list ? [{ key: -1, name: list.name }] : [])];
  const isTaken = siblings.some((other) => other.key !== key && other.name.trim() === name.trim());
  return isTaken ? 'Another field has this name.' : undefined;
}
