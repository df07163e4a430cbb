import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { settleTask } from './task-outcome.ts';

/** The life of a `ThreadPool`'s thread, called once by its module: one task comes in, one outcome goes out. */
export function serveTasks<Task, Result>(work: (task: Task) => Result): void {
  if (process.platform === 'linux') giveWay();
  parentPort?.on('message', (task: Task) => parentPort?.postMessage(settleTask(work, task)));
}

/** Lets threads that answer callers have the core when both want it; on Linux alone is priority a thread's own. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Some sandboxes forbid it; then the threads take turns as equals.
  }
}
