import { Checkbox, NativeSelect } from '@mantine/core';
import {
  chooseFormats,
  type Format,
  type FormatNames,
  HIDDEN_TEXT,
  hasMain,
  hiddenTextOf,
  nameOf,
  readFrom,
  withHiddenText,
} from './format-drafts.ts';

/** The formats of a page, whether they are read from its main content, and what becomes of hidden text. Other options of a format stay as they are. */
export function FormatChoices(props: {
  readonly label: string;
  readonly names: FormatNames;
  readonly value: unknown;
  readonly problem: string | undefined;
  onChange(value: readonly Format[]): void;
}) {
  const { label, names, value, problem, onChange } = props;
  const formats = (Array.isArray(value) ? value : []) as readonly Format[];
  const isMain = formats.some(hasMain);
  const hidden = hiddenTextOf(formats);
  return (
    <div className="stack-tight">
      <Checkbox.Group
        label={label}
        value={formats.map(nameOf)}
        onChange={(chosen) => onChange(chooseFormats(chosen, formats, names))}
        error={problem}
        size="xs"
      >
        <div className="row" style={{ gap: '6px 14px', marginTop: 6 }}>
          {names.all.map((name) => (
            <Checkbox key={name} value={name} label={name} size="xs" />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label="Main content only"
        description={`Without header, navigation, footer, asides and dialogs; of ${names.withOptions.join(', ')}.`}
        checked={isMain}
        disabled={!formats.some((format) => names.withOptions.includes(nameOf(format)))}
        onChange={({ currentTarget }) =>
          onChange(readFrom(currentTarget.checked ? 'main' : 'page', formats, names))
        }
        size="xs"
      />
      <NativeSelect
        label="Hidden text"
        description="Words that no reader of the page sees: keep them, drop them, or mark them."
        data={[...HIDDEN_TEXT]}
        value={hidden ?? 'keep'}
        disabled={hidden === undefined}
        onChange={({ currentTarget }) => {
          const chosen = HIDDEN_TEXT.find((each) => each === currentTarget.value);
          if (chosen) onChange(withHiddenText(chosen, formats));
        }}
        size="xs"
      />
    </div>
  );
}
