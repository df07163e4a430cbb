import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { createContext, useContext } from 'react';
import { Icon } from '../parts/marks/icons.tsx';
import styles from './forms.module.css';
import { problemAt } from './problems.ts';

type Step = Readonly<Record<string, unknown>>;

/** Verbs of steps with an example of their target. */
const VERBS: Readonly<Record<string, string>> = {
  click: '.more',
  fill: '#q',
  press: 'Enter',
  waitFor: '.results',
  select: '#size',
  check: '#in-stock',
  uncheck: '#in-stock',
  hover: 'nav .menu',
  scroll: 'end',
  collect: '.card',
  repeat: '[{"click": "a.more"}]',
};
const WITH_VALUE: readonly string[] = ['fill', 'select'];
const WITH_FRAME: readonly string[] = [
  'click',
  'fill',
  'waitFor',
  'select',
  'check',
  'uncheck',
  'hover',
  'scroll',
];

/** Steps that were done, and images of the page after them. */
interface Seen {
  readonly steps: readonly unknown[];
  readonly images: readonly { readonly index: number; readonly image: string }[];
}

const SeenContext = createContext<Seen>({ steps: [], images: [] });

/** Shows images of the page beside the steps in the forms below, as long as these are the same. */
export const StepsSeen = SeenContext.Provider;

/** Edits the steps that are done in the page before it is read. */
export function ActionList(props: {
  readonly value: unknown;
  readonly path: string;
  readonly error: unknown;
  onChange(steps: readonly Step[] | undefined): void;
}) {
  const { value, path, error, onChange } = props;
  const steps: readonly Step[] = Array.isArray(value) ? value : [];
  const seen = useContext(SeenContext);
  const imageAfter = (index: number) => {
    const isSame =
      JSON.stringify(steps.slice(0, index + 1)) === JSON.stringify(seen.steps.slice(0, index + 1));
    return isSame ? seen.images.find((each) => each.index === index)?.image : undefined;
  };
  const change = (next: readonly Step[]) => onChange(next.length > 0 ? next : undefined);
  const move = (from: number, to: number) => {
    const next = [...steps];
    next.splice(to, 0, ...next.splice(from, 1));
    change(next);
  };
  return (
    <fieldset className={styles.group}>
      <legend>Actions</legend>
      <p className="muted small">Steps in the rendered page before it is read, in order.</p>
      {steps.map((step, index) => (
        <ActionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity.
          key={index}
          number={index + 1}
          step={step}
          problem={problemAt(error, `${path}.${index}`)}
          image={path === 'actions' ? imageAfter(index) : undefined}
          onChange={(next) => change(steps.map((each, at) => (at === index ? next : each)))}
          onRemove={() => change(steps.filter((_, at) => at !== index))}
          onMoveUp={index > 0 ? () => move(index, index - 1) : undefined}
        />
      ))}
      <div>
        <Button size="compact-xs" variant="default" onClick={() => change([...steps, { click: '' }])}>
          Add a step
        </Button>
      </div>
    </fieldset>
  );
}

function ActionRow(props: {
  readonly number: number;
  readonly step: Step;
  readonly problem: string | undefined;
  /** JPEG of the page after the step, in base64. */
  readonly image: string | undefined;
  onChange(step: Step): void;
  onRemove(): void;
  readonly onMoveUp: (() => void) | undefined;
}) {
  const { number, step, problem, image, onChange, onRemove, onMoveUp } = props;
  const verb = Object.keys(VERBS).find((name) => name in step) ?? 'click';
  const { [verb]: target, ...rest } = step;
  const { optional } = rest;
  const change = (next: Step) => onChange({ ...next, ...(optional === true && { optional }) });
  return (
    <fieldset className={styles.step} aria-label={`Step ${number}`}>
      <NativeSelect
        aria-label={`Verb of step ${number}`}
        data={Object.keys(VERBS)}
        value={verb}
        onChange={(event) => change(withVerb(event.currentTarget.value, target))}
        size="xs"
      />
      <TextInput
        aria-label={`Target of step ${number}`}
        placeholder={VERBS[verb] ?? ''}
        value={textOf(target)}
        onChange={(event) => onChange({ ...rest, [verb]: readTarget(verb, event.currentTarget.value) })}
        error={problem}
        size="xs"
        classNames={{ input: 'mono' }}
      />
      <span className="row">
        {onMoveUp && (
          <ActionIcon aria-label={`Move step ${number} up`} onClick={onMoveUp}>
            ↑
          </ActionIcon>
        )}
        <ActionIcon aria-label={`Remove step ${number}`} onClick={onRemove}>
          <Icon name="close" size={15} />
        </ActionIcon>
      </span>
      {WITH_VALUE.includes(verb) && (
        <TextInput
          aria-label={`Value of step ${number}`}
          placeholder='kettle, or {"secret": "name"}'
          value={textOf(rest.value)}
          onChange={(event) => onChange({ ...step, value: readJson(event.currentTarget.value) })}
          size="xs"
          className={styles.stepValue}
        />
      )}
      {WITH_FRAME.includes(verb) && (
        <TextInput
          aria-label={`Frame of step ${number}`}
          placeholder="frame, such as iframe.checkout"
          value={textOf(rest.frame)}
          onChange={(event) => onChange(withFrame(step, readJson(event.currentTarget.value)))}
          size="xs"
          className={styles.stepValue}
          classNames={{ input: 'mono' }}
        />
      )}
      <Checkbox
        label="optional"
        checked={optional === true}
        onChange={(event) => onChange(withOptional(step, event.currentTarget.checked))}
        size="xs"
        className={styles.stepValue}
      />
      {image !== undefined && (
        <img
          className={styles.stepImage}
          src={`data:image/jpeg;base64,${image}`}
          alt={`The page after step ${number}`}
        />
      )}
    </fieldset>
  );
}

function withVerb(verb: string, target: unknown): Step {
  const kept = typeof target === 'string' && verb !== 'repeat' ? target : '';
  return { [verb]: kept, ...(WITH_VALUE.includes(verb) && { value: '' }) };
}

function withFrame({ frame: _frame, ...step }: Step, frame: unknown): Step {
  return frame === '' ? step : { ...step, frame };
}

function withOptional({ optional: _optional, ...step }: Step, isOptional: boolean): Step {
  return isOptional ? { ...step, optional: true } : step;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function readTarget(verb: string, text: string): unknown {
  if (verb === 'repeat') return readJson(text);
  return verb === 'waitFor' && /^\d+$/.test(text) ? Number(text) : text;
}

/** Reads an object or a list that is written as JSON; other texts, and half a JSON, stay texts. */
function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
