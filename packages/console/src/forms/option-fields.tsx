import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionList } from './action-list.tsx';
import { FormatChoices } from './format-choices.tsx';
import { formatNamesIn } from './format-drafts.ts';
import styles from './forms.module.css';
import { problemAt } from './problems.ts';
import type { Schema } from './use-openapi.ts';

interface OptionProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly problem: string | undefined;
  /** Path of the option in the request, and the error that may name it or a part of it. */
  readonly path: string;
  readonly error?: unknown;
  onChange(value: unknown): void;
}

/** A field for every option of a schema but the ones left out, by its type, or for the named ones in their order. */
export function OptionFields(props: {
  readonly schema: Schema | undefined;
  readonly except?: readonly string[];
  readonly only?: readonly string[];
  /** Path of the options in the request. */
  readonly path?: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
  onChange(values: Readonly<Record<string, unknown>>): void;
}) {
  const { schema, except = [], only, path, values, error, onChange } = props;
  const { properties = {} } = schema ?? {};
  const names = (only ?? Object.keys(properties)).filter((name) => !except.includes(name));
  const options = names.flatMap((name): [string, Schema][] => {
    const each = properties[name];
    return each ? [[name, each]] : [];
  });
  return (
    <div className={styles.options}>
      {options.map(([name, each]) => (
        <Option
          key={name}
          name={name}
          schema={each}
          value={values[name]}
          path={path ? `${path}.${name}` : name}
          error={error}
          problem={problemAt(error, path ? `${path}.${name}` : name)}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </div>
  );
}

function Option(props: OptionProps) {
  const { name, schema, value, problem, path, error, onChange } = props;
  const label = labelOf(name);
  if (name === 'actions') return <ActionList value={value} path={path} error={error} onChange={onChange} />;
  if (schema.type === 'boolean') {
    return (
      <Checkbox
        label={label}
        description={firstSentence(schema.description)}
        checked={value === true || (value === undefined && schema['x-default'] === true)}
        onChange={(event) => onChange(event.currentTarget.checked)}
        error={problem}
        size="xs"
      />
    );
  }
  const formats = formatNamesIn(schema);
  if (formats)
    return (
      <FormatChoices label={label} value={value} problem={problem} onChange={onChange} names={formats} />
    );
  const choices = schema.type === 'array' ? schema.items?.enum : undefined;
  if (choices) return <Choices {...props} choices={choices.map(String)} label={label} />;
  if (isLines(schema, value)) return <LinesOption {...props} label={label} />;
  const details = detailsOf(schema);
  if (details) return <SwitchOption {...props} label={label} details={details} />;
  if (isStructure(schema)) return <JsonOption {...props} label={`${label} (JSON)`} />;
  if (schema.enum) {
    return (
      <NativeSelect
        label={label}
        description={firstSentence(schema.description)}
        data={[{ value: '', label: 'default' }, ...schema.enum.map(String)]}
        value={value === undefined ? '' : String(value)}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(schema.enum?.find((choice) => String(choice) === chosen))
        }
        error={problem}
        size="xs"
      />
    );
  }
  return (
    <TextInput
      label={label}
      description={firstSentence(schema.description)}
      placeholder={exampleText(schema)}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => onChange(readText(event.currentTarget.value, schema))}
      error={problem}
      size="xs"
      inputMode={schema.type === 'integer' ? 'numeric' : undefined}
    />
  );
}

function Choices(props: OptionProps & { readonly label: string; readonly choices: readonly string[] }) {
  const { value, problem, onChange, choices, label } = props;
  const chosen = Array.isArray(value) ? value : [];
  return (
    <Checkbox.Group label={label} value={chosen} onChange={onChange} error={problem} size="xs">
      <div className="row" style={{ gap: '6px 14px', marginTop: 6 }}>
        {choices.map((choice) => (
          <Checkbox key={choice} value={choice} label={choice} size="xs" />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** An option with a switch, or an object with details. */
function SwitchOption(props: OptionProps & { readonly label: string; readonly details: Schema }) {
  const { schema, value, problem, path, error, onChange, label, details } = props;
  const isOn = value !== undefined && value !== false;
  const chosen =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const change = (values: Readonly<Record<string, unknown>>) => {
    const given = Object.entries(values).filter(([, each]) => each !== undefined && each !== '');
    onChange(given.length === 0 ? true : Object.fromEntries(given));
  };
  return (
    <>
      <Checkbox
        label={label}
        description={firstSentence(schema.description)}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked ? true : undefined)}
        error={problem}
        size="xs"
      />
      {isOn && (
        <fieldset className={styles.more} aria-label={`${label} options`}>
          <OptionFields schema={details} path={path} values={chosen} error={error} onChange={change} />
        </fieldset>
      )}
    </>
  );
}

/** Texts with one on each line, such as patterns. */
function LinesOption({ schema, value, problem, onChange, label }: OptionProps & { readonly label: string }) {
  const lines = (value ?? []) as readonly string[];
  return (
    <Textarea
      label={label}
      description={`${firstSentence(schema.description) ?? ''} One on each line.`.trim()}
      placeholder={(schema.examples?.[0] as readonly string[] | undefined)?.join('\n')}
      value={lines.join('\n')}
      onChange={({ currentTarget: { value: text } }) => onChange(text ? text.split('\n') : undefined)}
      error={problem}
      rows={2}
      size="xs"
      classNames={{ input: 'mono' }}
    />
  );
}

/** Text of JSON. While it is not valid, it stays as it is typed and the option has its last valid value. */
export function JsonOption(
  props: Omit<OptionProps, 'name' | 'path' | 'error'> & { readonly label: string; readonly rows?: number },
) {
  const { schema, value, problem, onChange, label, rows = 2 } = props;
  const [typed, setTyped] = useState<string>();
  const [isValid, setValid] = useState(true);
  const text = typed ?? (value === undefined ? '' : JSON.stringify(value, null, rows > 2 ? 2 : undefined));
  const change = (next: string) => {
    setTyped(next);
    try {
      onChange(next.trim() ? JSON.parse(next) : undefined);
      setValid(true);
    } catch {
      setValid(false);
    }
  };
  return (
    <Textarea
      label={label}
      description={firstSentence(schema.description)}
      placeholder={exampleText(schema)}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => isValid && setTyped(undefined)}
      error={isValid ? problem : 'This is not valid JSON yet.'}
      rows={rows}
      size="xs"
      classNames={{ input: 'mono' }}
    />
  );
}

/** Returns true for a list of texts, none of which is an object so far. */
function isLines({ type, items }: Schema, value: unknown): boolean {
  const isOfTexts = type === 'array' && (items?.type ?? items?.anyOf?.[0]?.type) === 'string';
  return isOfTexts && (!Array.isArray(value) || value.every((each) => typeof each === 'string'));
}

/** Returns the schema of the details of an option that can also be true. */
function detailsOf({ anyOf = [] }: Schema): Schema | undefined {
  const isSwitch = anyOf.length === 2 && anyOf[0]?.type === 'boolean';
  return isSwitch && anyOf[1]?.type === 'object' ? anyOf[1] : undefined;
}

/** Returns true for what is typed as JSON: objects, lists, and any value at all. */
function isStructure({ type, anyOf = [], enum: choices }: Schema): boolean {
  const isOfText = anyOf.some((each) => each.type === 'string');
  if (type === undefined && anyOf.length === 0 && !choices) return true;
  return type === 'object' || type === 'array' || (anyOf.length > 0 && !isOfText);
}

function readText(text: string, schema: Schema): unknown {
  const isNumber = schema.type === 'integer' || schema.anyOf?.some(({ type }) => type === 'integer');
  return isNumber && /^\d+$/.test(text) ? Number(text) : text;
}

/** Returns `Wait for` for `waitFor`. */
function labelOf(name: string): string {
  const words = name.replace(/(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function firstSentence(text: string | undefined): string | undefined {
  const sentence = text?.match(/^.*?[.:](?=\s|$)/s)?.[0].replace(/:$/, '.') ?? text;
  return sentence?.replaceAll('`', '');
}

function exampleText({ examples }: Schema): string | undefined {
  const [example] = examples ?? [];
  if (example === undefined) return undefined;
  return typeof example === 'string' ? example : JSON.stringify(example);
}
