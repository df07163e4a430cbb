import { ActionIcon, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { Icon } from '../parts/marks/icons.tsx';
import styles from './forms.module.css';

/** A step as requests hold it: a verb with its target, and details. */
export type Step = Readonly<Record<string, unknown>>;

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

/** Edits one step: its verb, its target and its details. */
export function ActionRow(props: {
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
      <StepDetails number={number} step={step} verb={verb} onChange={onChange} />
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

/** The details of a step that its verb allows. */
function StepDetails(props: {
  readonly number: number;
  readonly step: Step;
  readonly verb: string;
  onChange(step: Step): void;
}) {
  const { number, step, verb, onChange } = props;
  return (
    <>
      {WITH_VALUE.includes(verb) && (
        <TextInput
          aria-label={`Value of step ${number}`}
          placeholder='kettle, or {"secret": "name"}'
          value={textOf(step.value)}
          onChange={(event) => onChange({ ...step, value: readJson(event.currentTarget.value) })}
          size="xs"
          className={styles.stepValue}
        />
      )}
      {WITH_FRAME.includes(verb) && (
        <TextInput
          aria-label={`Frame of step ${number}`}
          placeholder="frame, such as iframe.checkout"
          value={textOf(step.frame)}
          onChange={(event) => onChange(withFrame(step, readJson(event.currentTarget.value)))}
          size="xs"
          className={styles.stepValue}
          classNames={{ input: 'mono' }}
        />
      )}
      <Checkbox
        label="optional"
        checked={step.optional === true}
        onChange={(event) => onChange(withOptional(step, event.currentTarget.checked))}
        size="xs"
        className={styles.stepValue}
      />
    </>
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
