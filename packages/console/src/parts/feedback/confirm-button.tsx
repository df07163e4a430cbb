import { Button, type ButtonProps, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/use-change.ts';
import { ErrorPanel } from './error-panel.tsx';

/** A button for what cannot be undone: asks first, and shows why it did not work. */
export function ConfirmButton(props: {
  readonly label: string;
  readonly question: ReactNode;
  readonly confirm: string;
  readonly size?: ButtonProps['size'];
  /** Key of the queries that the action changes. */
  readonly changes: string;
  action(): Promise<unknown>;
  onDone?(): unknown;
}) {
  const [isAsking, setAsking] = useState(false);
  const { error, isPending, mutate } = useChange({
    key: props.changes,
    change: props.action,
    async onDone() {
      setAsking(false);
      await props.onDone?.();
    },
  });
  return (
    <>
      <Button size={props.size ?? 'xs'} variant="default" onClick={() => setAsking(true)}>
        {props.label}
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={props.label}>
        <div className="stack">
          <div>{props.question}</div>
          {error && <ErrorPanel error={error} />}
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button color="red" loading={isPending} onClick={() => mutate()}>
              {props.confirm}
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}
