import { AppError, type Failure, fromFailure, toAppError, toFailure } from '@gleaner/contracts';

/** A task's end as it crosses back from a thread. */
export type TaskOutcome<Result> =
  | { readonly isDone: true; readonly result: Result }
  | { readonly isDone: false; readonly failure: Failure; readonly trace: string | undefined };

/** Does the work; its end as data. Never throws. */
export function settleTask<Task, Result>(work: (task: Task) => Result, task: Task): TaskOutcome<Result> {
  try {
    return { isDone: true, result: work(task) };
  } catch (thrown) {
    const error = toAppError(thrown);
    const trace = error.cause instanceof Error ? error.cause.stack : undefined;
    return { isDone: false, failure: toFailure(error), trace };
  }
}

/** The result; throws the AppError that a failed outcome stands for. */
export function resultOf<Result>(outcome: TaskOutcome<Result>): Result {
  if (outcome.isDone) return outcome.result;
  const { failure, trace } = outcome;
  if (trace === undefined) throw fromFailure(failure);
  const { code, ...options } = failure;
  throw new AppError(code, { ...options, cause: trace });
}
