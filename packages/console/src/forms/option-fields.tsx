import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from './forms.module.css';
import { problemAt } from './problems.ts';
import type { Schema } from './use-openapi.ts';

interface OptionProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly problem: string | undefined;
  onChange(value: unknown): void;
}

/** A field for every option of a schema but the ones left out, by its type. */
export function OptionFields(props: {
  readonly schema: Schema | undefined;
  readonly except: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
  onChange(values: Readonly<Record<string, unknown>>): void;
}) {
  const { schema, except, values, error, onChange } = props;
  const options = Object.entries(schema?.properties ?? {}).filter(([name]) => !except.includes(name));
  return (
    <div className={styles.options}>
      {options.map(([name, each]) => (
        <Option
          key={name}
          name={name}
          schema={each}
          value={values[name]}
          problem={problemAt(error, name)}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </div>
  );
}

function Option(props: OptionProps) {
  const { name, schema, value, problem, onChange } = props;
  const label = labelOf(name);
  if (schema.type === 'boolean') {
    return (
      <Checkbox
        label={label}
        description={firstSentence(schema.description)}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
        error={problem}
        size="xs"
      />
    );
  }
  const choices = schema.type === 'array' ? schema.items?.enum : undefined;
  if (choices) return <Choices {...props} choices={choices} label={label} />;
  if (schema.type === 'object' || schema.type === 'array') return <JsonOption {...props} label={label} />;
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

/** Text of JSON. While it is not valid, it stays as it is typed and the option has its last valid value. */
function JsonOption({ schema, value, problem, onChange, label }: OptionProps & { readonly label: string }) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value));
  const [isValid, setValid] = useState(true);
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() ? JSON.parse(next) : undefined);
      setValid(true);
    } catch {
      setValid(false);
    }
  };
  return (
    <Textarea
      label={`${label} (JSON)`}
      description={firstSentence(schema.description)}
      placeholder={exampleText(schema)}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      error={isValid ? problem : 'This is not valid JSON yet.'}
      rows={2}
      size="xs"
      classNames={{ input: styles.code ?? '' }}
    />
  );
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
  return text?.match(/^.*?[.:](?=\s|$)/s)?.[0].replace(/[:]$/, '.') ?? text;
}

function exampleText({ examples }: Schema): string | undefined {
  const [example] = examples ?? [];
  if (example === undefined) return undefined;
  return typeof example === 'string' ? example : JSON.stringify(example);
}
