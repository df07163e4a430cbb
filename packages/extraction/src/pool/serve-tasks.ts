import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError, type Failure, fromFailure, toAppError, toFailure } from '@gleaner/contracts';

/** Message of a thread: it can take tasks, or the outcome of one. */
export type ThreadMessage<Result> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly trace: string | undefined };

/** Orders that a thread follows at its next checkpoint. */
export const ORDERS = { goOn: 0, wait: 1, stop: 2 } as const;

/** Data that a thread is started with: the order, shared with the pool. */
export interface ThreadData {
  readonly orders: Int32Array<SharedArrayBuffer>;
}

/**
 * Runs the tasks of a `ThreadPool` in its thread, one at a time. Called once by the module of the thread. The work calls
 * its checkpoint every few milliseconds, at which it waits while the threads are needed by others, and stops if no one
 * needs its result any more.
 */
export function serveTasks<Task, Result>(
  work: (task: Task, checkpoint: () => void) => Result | Promise<Result>,
): void {
  const port = parentPort;
  if (!port) return;
  if (process.platform === 'linux') lowerPriority();
  const { orders } = workerData as ThreadData;
  const checkpoint = (): void => {
    while (Atomics.load(orders, 0) === ORDERS.wait) Atomics.wait(orders, 0, ORDERS.wait);
    if (Atomics.load(orders, 0) === ORDERS.stop) throw new AppError('TIMEOUT');
  };
  const send = (message: ThreadMessage<Result>): void => port.postMessage(message);
  port.on('message', (task: Task) => void outcomeOf(async () => await work(task, checkpoint)).then(send));
  send({ kind: 'ready' });
}

/** Gives way to the threads that serve requests. Only on Linux does a thread have its own priority. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some sandboxes forbid it; then all threads have the same priority.
  }
}

/** Never throws. */
async function outcomeOf<Result>(work: () => Promise<Result>): Promise<ThreadMessage<Result>> {
  try {
    return { kind: 'done', result: await work() };
  } catch (thrown) {
    const error = toAppError(thrown);
    const trace = error.cause instanceof Error ? error.cause.stack : undefined;
    return { kind: 'failed', failure: toFailure(error), trace };
  }
}

/** Returns the error of a failed task. */
export function errorOf({ failure, trace }: Extract<ThreadMessage<unknown>, { kind: 'failed' }>): AppError {
  if (trace === undefined) return fromFailure(failure);
  const { code, ...options } = failure;
  return new AppError(code, { ...options, cause: trace });
}
