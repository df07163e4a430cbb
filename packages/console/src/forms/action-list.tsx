import { Button } from '@mantine/core';
import { createContext, useContext } from 'react';
import { ActionRow, type Step } from './action-row.tsx';
import styles from './forms.module.css';
import { problemAt } from './problems.ts';

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
