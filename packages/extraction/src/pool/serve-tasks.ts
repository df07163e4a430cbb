import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { runTask } from './task-outcome.ts';

/** Runs the tasks of a `ThreadPool` in its thread, one at a time. Called once by the module of the thread. */
export function serveTasks<Task, Result>(work: (task: Task) => Result): void {
  if (process.platform === 'linux') lowerPriority();
  parentPort?.on('message', (task: Task) => parentPort?.postMessage(runTask(work, task)));
}

/** Gives way to the threads that serve requests. Only on Linux does a thread have its own priority. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Some sandboxes forbid it; then all threads have the same priority.
  }
}
