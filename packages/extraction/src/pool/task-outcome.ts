import { AppError, type Failure, fromFailure, toAppError, toFailure } from '@gleaner/contracts';

/** Outcome of a task, in the form in which a thread sends it back. */
export type TaskOutcome<Result> =
  | { readonly isDone: true; readonly result: Result }
  | { readonly isDone: false; readonly failure: Failure; readonly trace: string | undefined };

/** Runs a task and returns its outcome. Never throws. */
export function runTask<Task, Result>(work: (task: Task) => Result, task: Task): TaskOutcome<Result> {
  try {
    return { isDone: true, result: work(task) };
  } catch (thrown) {
    const error = toAppError(thrown);
    const trace = error.cause instanceof Error ? error.cause.stack : undefined;
    return { isDone: false, failure: toFailure(error), trace };
  }
}

/** Returns the result of an outcome, or throws its AppError. */
export function resultOf<Result>(outcome: TaskOutcome<Result>): Result {
  if (outcome.isDone) return outcome.result;
  const { failure, trace } = outcome;
  if (trace === undefined) throw fromFailure(failure);
  const { code, ...options } = failure;
  throw new AppError(code, { ...options, cause: trace });
}
