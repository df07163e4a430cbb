import { randomUUID } from 'node:crypto';

/** Furthest that timers are watched ahead: nothing waits longer than this for a page that is quiet. */
export const PENDING_LIMIT_MS = 100;

/** Name of the event that asks the script; pages cannot guess it, and one that did could only delay its own reading. */
const EVENT = JSON.stringify(`pending-work-${randomUUID()}`);

/** Timers fire late: the page's nesting adds up to 4 ms, rounding and a busy thread the rest. */
const LATE_MS = 8;

const FRAME_MS = 17;

/** Constructors of what may call a script at any time, without a request that is counted. */
const SOURCES = ['Worker', 'SharedWorker', 'WebSocket', 'EventSource'];

/**
 * Script that runs in every document before the page's own and notes when the next short timer or frame is due, and
 * whether there is a source such as a worker. Calls are passed on as they are.
 */
export const WATCH_PENDING_WORK = `(() => {
  const { apply, construct } = Reflect;
  const now = performance.now.bind(performance);
  let dueAt = 0;
  let hasSources = false;
  const note = (delay) => {
    const delayMs = typeof delay === 'number' && delay > 0 ? delay : 0;
    if (delayMs <= ${PENDING_LIMIT_MS} && now() + delayMs > dueAt) dueAt = now() + delayMs;
  };
  const watch = (owner, name, handler) => {
    if (typeof owner?.[name] === 'function') owner[name] = new Proxy(owner[name], handler);
  };
  const noting = (delayOf) => ({ apply: (target, self, args) => (note(delayOf(args)), apply(target, self, args)) });
  for (const name of ['setTimeout', 'setInterval']) watch(window, name, noting((args) => args[1]));
  watch(window, 'requestAnimationFrame', noting(() => ${FRAME_MS}));
  watch(window.IDBFactory?.prototype, 'open', { apply: (target, self, args) => ((hasSources = true), apply(target, self, args)) });
  for (const name of ${JSON.stringify(SOURCES)})
    watch(window, name, { construct: (target, args, made) => ((hasSources = true), construct(target, args, made)) });
  addEventListener(${EVENT}, (event) => {
    if (!hasSources && now() > dueAt + ${LATE_MS}) event.preventDefault();
  });
})()`;

/**
 * Expression that is true when the script is in the document and nothing is pending in it. Frames may change the page as
 * well and are not asked.
 */
export const HAS_NO_PENDING_WORK = `(frames.length === 0 && !dispatchEvent(new Event(${EVENT}, { cancelable: true })))`;
