import { Button, type ButtonProps, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ErrorPanel } from './error-panel.tsx';

/** A button for what cannot be undone: asks first, and shows why it did not work. */
export function ConfirmButton(props: {
  readonly label: string;
  readonly question: ReactNode;
  readonly confirm: string;
  readonly size?: ButtonProps['size'];
  action(): Promise<unknown>;
}) {
  const [isAsking, setAsking] = useState(false);
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const perform = async () => {
    setState({ isBusy: true });
    try {
      await props.action();
      setAsking(false);
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <>
      <Button size={props.size ?? 'xs'} variant="default" onClick={() => setAsking(true)}>
        {props.label}
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={props.label}>
        <div className="stack">
          <div>{props.question}</div>
          {state.error ? <ErrorPanel error={state.error} /> : null}
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button color="red" loading={state.isBusy} onClick={() => void perform().catch(() => {})}>
              {props.confirm}
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}
