import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import styles from './forms.module.css';

/** A form for creating a resource: its fields, its error, and the button. */
export function CreateForm(props: {
  readonly label: string;
  /** Label of the button. */
  readonly submit: string;
  /** The call that creates it. */
  readonly create: { readonly error: unknown; readonly isPending: boolean; mutate(): void };
  /** A page shows it as a card. */
  readonly look: 'page' | 'dialog';
  readonly isComplete?: boolean;
  readonly children: ReactNode;
}) {
  const { label, submit, create, look, isComplete = true, children } = props;
  return (
    <form
      className={look === 'page' ? `card stack ${styles.narrow}` : 'stack'}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      {children}
      {create.error ? <ErrorPanel error={create.error} /> : null}
      <div>
        <Button type="submit" loading={create.isPending} disabled={!isComplete}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
