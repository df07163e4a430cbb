import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { gleaner } from '../../api/gleaner.ts';
import { ticketUrl } from '../../api/session-api.ts';
import {
  CONNECT,
  type FrameMessage,
  READY,
  readFrameMessage,
  type WorkbenchMessage,
} from '../../frame/messages.ts';
import { ErrorPanel } from '../../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../../parts/feedback/states.tsx';
import styles from './page.module.css';

/** Sends a message to the frame. */
export type SendToFrame = (message: WorkbenchMessage) => void;

/** Time after the page has loaded in which its script should have been heard. Then the service is asked whether it has the page. */
const READY_WITHIN_MS = 3_000;
const UNHEARD = new Error(
  'The page is there, but its frame does not answer. Selectors that are typed work; picking does not.',
);

/** State of the frame's script: expected, heard, or not heard in time. */
type FrameState = 'loading' | 'ready' | 'silent';

interface FrameProps {
  readonly snapshotId: string;
  readonly url: string;
  /** Name of the frame, where no list of elements stands below it. */
  readonly title?: string;
  /** Called with the function for messages to the frame, each time its script starts, before the page is there. */
  onConnect(send: SendToFrame): void;
  onMessage(message: FrameMessage): void;
}

/**
 * Shows a snapshot in a frame with an opaque origin, in which our script alone runs. It is out of the order of tabs: the
 * list of elements below it does everything that it does.
 */
export function SnapshotFrame(props: FrameProps) {
  const {
    snapshotId,
    url,
    title = `Snapshot of ${url}. The list of elements below has the same for the keyboard.`,
  } = props;
  const { frame, state, onLoad } = useFrameScript(props);
  const { address, ticketError } = useViewAddress(snapshotId);
  const check = useQuery({
    queryKey: ['snapshot', snapshotId, 'view'],
    queryFn: async ({ signal }) => (await gleaner.snapshots.view(snapshotId, { signal })).length,
    enabled: state === 'silent',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isChecked = state === 'silent' && !check.isPending;
  return (
    <div className={styles.frame}>
      {state !== 'ready' && !isChecked && !ticketError && (
        <div className={styles.cover}>
          <WaitingRows label="Loading the page" rows={8} />
        </div>
      )}
      {ticketError ? (
        <ErrorPanel error={ticketError} />
      ) : (
        isChecked && <ErrorPanel error={check.error ?? UNHEARD} />
      )}
      {/* A page that is there stays in its place: hidden, a large one would be laid out again once it answers, and clicks on it lost. */}
      {address !== undefined && (
        <iframe
          ref={frame}
          src={address}
          title={title}
          sandbox="allow-scripts"
          allow=""
          referrerPolicy="no-referrer"
          tabIndex={-1}
          hidden={isChecked && check.error !== null}
          onLoad={onLoad}
        />
      )}
    </div>
  );
}

/** Connects to the script of the frame whenever it starts, and tells whether it was heard in time. */
function useFrameScript(props: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const handlers = useRef(props);
  useEffect(() => {
    handlers.current = props;
  });
  const [state, setState] = useState<FrameState>('loading');
  // Before the frame starts: its script reports as soon as it runs.
  useLayoutEffect(() => {
    let port: MessagePort | undefined;
    const onMessage = ({ data, origin, source }: MessageEvent) => {
      const target = frame.current?.contentWindow;
      if (!target || source !== target || origin !== 'null' || data !== READY) return;
      port?.close();
      const channel = new MessageChannel();
      port = channel.port1;
      channel.port1.onmessage = ({ data: received }) => {
        const message = readFrameMessage(received);
        if (message) handlers.current.onMessage(message);
      };
      // An opaque origin has no name; the port reaches only what is in the frame now.
      target.postMessage(CONNECT, '*', [channel.port2]);
      handlers.current.onConnect((message) => channel.port1.postMessage(message));
      setState('ready');
    };
    window.addEventListener('message', onMessage);
    return () => {
      window.removeEventListener('message', onMessage);
      port?.close();
    };
  }, []);
  const onLoad = () => {
    setTimeout(() => setState((now) => (now === 'loading' ? 'silent' : now)), READY_WITHIN_MS);
  };
  return { frame, state, onLoad };
}

/** Returns the address of the view of a snapshot, once there is a ticket for it. */
function useViewAddress(snapshotId: string) {
  const [address, setAddress] = useState<string>();
  const [ticketError, setTicketError] = useState<unknown>();
  // A ticket works once: a frame that starts again needs another.
  useEffect(() => {
    const leaving = new AbortController();
    ticketUrl(`/v1/snapshots/${encodeURIComponent(snapshotId)}/view`, leaving.signal).then(
      setAddress,
      (error: unknown) => leaving.signal.aborted || setTicketError(error),
    );
    return () => leaving.abort();
  }, [snapshotId]);
  return { address, ticketError };
}
