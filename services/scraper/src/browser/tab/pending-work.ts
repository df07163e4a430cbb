import { randomUUID } from 'node:crypto';
import type { PendingWorkOptions } from '../injected/options.ts';
import { callInjected } from '../load-injected.ts';

/** Furthest that timers are watched ahead: nothing waits longer than this for a page that is quiet. */
export const PENDING_LIMIT_MS = 100;

/** Name of the event that asks the script; pages cannot guess it, and one that did could only delay its own reading. */
const EVENT = `pending-work-${randomUUID()}`;

/** Timers fire late: the page's nesting adds up to 4 ms, rounding and a busy thread the rest. */
const LATE_MS = 8;

const FRAME_MS = 17;

/** Constructors of objects that may call a script at any time, without a counted request. */
const SOURCES = ['Worker', 'SharedWorker', 'WebSocket', 'EventSource'];

/** Returns the script that runs in every document before the page's own and watches for work that is pending. */
export const watchPendingWork = () =>
  callInjected('pending-work.ts', 'watchPendingWork', {
    event: EVENT,
    limitMs: PENDING_LIMIT_MS,
    lateMs: LATE_MS,
    frameMs: FRAME_MS,
    sources: SOURCES,
  } satisfies PendingWorkOptions);

/**
 * Expression that is true when the script is in the document and nothing is pending in it. Frames may change the page as
 * well and are not asked.
 */
export const HAS_NO_PENDING_WORK = `(frames.length === 0 && !dispatchEvent(new Event(${JSON.stringify(EVENT)}, { cancelable: true })))`;
