import { useCallback, useMemo, useRef, useState } from 'react';
import { type FrameMessage, type Outline, ROOT } from '../../frame/messages.ts';
import type { SendToFrame } from './snapshot-frame.tsx';

/** Children of an element as far as they are known. */
interface Children {
  readonly outlines: readonly Outline[];
  readonly total: number;
}

/** Elements of the page, read from the frame as they are opened. */
export interface Elements {
  /** Element that was picked elsewhere and is shown now. */
  readonly shown: number | undefined;
  childrenOf(node: number): Children;
  isOpen(node: number): boolean;
  toggle(node: number): void;
  show(node: number | undefined): void;
}

const NO_CHILDREN: Children = { outlines: [], total: 0 };
/** Levels that are open at first: html, and with it head and body. */
const OPEN_AT_FIRST = 2;

/** Holds the elements described by the frame, and the open ones among them. */
export function useElements() {
  const [known, setKnown] = useState<ReadonlyMap<number, Children>>(new Map());
  const [shown, setShown] = useState<number>();
  const levels = useRef(new Map<number, number>([[ROOT, 0]]));
  const { open, openAll, close, connect } = useOpenElements();

  /** Takes the children of an element. */
  const receive = useCallback(
    ({ of, elements: outlines, total }: Extract<FrameMessage, { type: 'children' }>) => {
      setKnown((before) => new Map([...before, [of, { outlines, total }]]));
      const level = (levels.current.get(of) ?? OPEN_AT_FIRST) + 1;
      for (const { node } of outlines) levels.current.set(node, level);
      const parents = outlines.filter(({ hasChildren }) => hasChildren);
      if (level <= OPEN_AT_FIRST) openAll(parents.map(({ node }) => node));
    },
    [openAll],
  );
  /** Opens everything around the last element of a path. */
  const reveal = useCallback(
    (path: readonly Outline[]) => {
      openAll(path.slice(0, -1).map(({ node }) => node));
      setShown(path.at(-1)?.node);
    },
    [openAll],
  );

  const elements = useMemo(
    (): Elements => ({
      shown,
      childrenOf: (node) => known.get(node) ?? NO_CHILDREN,
      isOpen: (node) => open.has(node),
      toggle: (node) => (open.has(node) ? close(node) : openAll([node])),
      show: setShown,
    }),
    [known, open, openAll, close, shown],
  );
  return { elements, connect, receive, reveal };
}

/** Holds the open elements, and asks the frame once for the children of each. */
function useOpenElements() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const send = useRef<SendToFrame>(undefined);
  const asked = useRef(new Set<number>());

  const request = useCallback((node: number) => {
    if (asked.current.has(node)) return;
    asked.current.add(node);
    send.current?.({ type: 'children', of: node });
  }, []);
  const openAll = useCallback(
    (nodes: readonly number[]) => {
      for (const node of nodes) request(node);
      setOpen((before) => new Set([...before, ...nodes]));
    },
    [request],
  );
  const close = useCallback(
    (node: number) => setOpen((before) => new Set([...before].filter((other) => other !== node))),
    [],
  );
  /** Takes the way to the frame; its elements are read again. */
  const connect = useCallback(
    (sendToFrame: SendToFrame) => {
      send.current = sendToFrame;
      asked.current.clear();
      request(ROOT);
    },
    [request],
  );
  return { open, openAll, close, connect };
}
