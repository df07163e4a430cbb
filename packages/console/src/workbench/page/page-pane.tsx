import { useCallback, useRef, useState } from 'react';
import type { FrameMessage, Marks } from '../../frame/messages.ts';
import type { Mode, Picking } from '../picking/use-picking.ts';
import { ElementPath } from './element-path.tsx';
import { ElementTree } from './element-tree.tsx';
import type { KeptPage } from './keep-page.ts';
import { ModeSwitch } from './mode-switch.tsx';
import styles from './page.module.css';
import { type SendToFrame, SnapshotFrame } from './snapshot-frame.tsx';
import { useElements } from './use-elements.ts';
import { notesOf, useMarks } from './use-marks.ts';

/** The kept page, in which elements are picked by clicks, or from the tree of its elements by keys. */
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
