import { SegmentedControl } from '@mantine/core';
import { useCallback, useRef, useState } from 'react';
import type { FrameMessage, Marks, Outline } from '../../frame/messages.ts';
import type { Mode, Picking } from '../picking/use-picking.ts';
import { ElementTree } from './element-tree.tsx';
import type { KeptPage } from './keep-page.ts';
import styles from './page.module.css';
import { type SendToFrame, SnapshotFrame } from './snapshot-frame.tsx';
import { useElements } from './use-elements.ts';
import { notesOf, useMarks } from './use-marks.ts';

/** The snapshot, in which elements are picked by clicks, or from the tree of its elements by keys. */
export function PagePane(props: {
  readonly page: KeptPage;
  readonly picking: Picking;
  readonly marks: Marks;
  readonly hasList: boolean;
}) {
  const { page, picking, marks, hasList } = props;
  const [send, setSend] = useState<SendToFrame>();
  const { elements, connect, receive, reveal } = useElements();
  useMarks(send, marks);
  const onConnect = useCallback(
    (sendToFrame: SendToFrame) => {
      setSend(() => sendToFrame);
      connect(sendToFrame);
    },
    [connect],
  );
  // The frame answers clicks and requests alike, with the way to the element.
  const intent = useRef<Mode>(undefined);
  const pick = (node: number, as?: Mode) => {
    intent.current = as;
    send?.({ type: 'pick', node });
  };
  const onMessage = (message: FrameMessage) => {
    if (message.type === 'children') return receive(message);
    reveal(message.path);
    picking.pick(message.path, intent.current);
    intent.current = undefined;
  };
  return (
    <section className={`stack-tight ${styles.page}`} aria-label="Page">
      <ModeSwitch mode={picking.mode} hasList={hasList} onChange={picking.setMode} />
      <SnapshotFrame
        snapshotId={page.snapshotId}
        url={page.finalUrl}
        onConnect={onConnect}
        onMessage={onMessage}
      />
      <ElementPath
        path={picking.path}
        onPick={(node) => {
          picking.replaceLast();
          pick(node);
        }}
      />
      <details className={styles.elements}>
        <summary>Elements (for the keyboard)</summary>
        <ElementTree
          elements={elements}
          notes={notesOf(marks)}
          onPoint={(node) => send?.({ type: 'point', node, scroll: true })}
          onPick={pick}
          onUnwanted={(node) => pick(node, 'unwanted')}
          onForget={picking.forget}
        />
      </details>
    </section>
  );
}

/** The way to the element that was picked last; each element around it can be picked instead. */
function ElementPath(props: { readonly path: readonly Outline[]; onPick(node: number): void }) {
  const { path, onPick } = props;
  if (path.length === 0) return null;
  return (
    <nav aria-label="Elements around the picked one" className={styles.path}>
      <ol>
        {path.map(({ node, name }, index) => (
          <li key={node}>
            <button
              type="button"
              aria-current={index === path.length - 1 ? 'true' : undefined}
              onClick={() => onPick(node)}
            >
              {name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Says what a click in the page does. */
function ModeSwitch(props: { readonly mode: Mode; readonly hasList: boolean; onChange(mode: Mode): void }) {
  const { mode, hasList, onChange } = props;
  return (
    <div className={styles.mode}>
      <span className="muted small">A click selects</span>
      <SegmentedControl
        aria-label="A click selects"
        size="xs"
        value={mode}
        onChange={(value) => onChange(value as Mode)}
        data={[
          { value: 'list', label: hasList ? 'Records and columns' : 'Records of a list' },
          { value: 'value', label: 'Single values' },
          { value: 'unwanted', label: 'Not this', disabled: !hasList },
        ]}
      />
    </div>
  );
}
