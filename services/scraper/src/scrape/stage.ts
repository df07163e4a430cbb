import { AppError } from '@gleaner/contracts';

/** Awaits the work of a stage; when the deadline passes in it, the TIMEOUT names the stage. */
export async function inStage<Result>(
  stage: string,
  signal: AbortSignal,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isTimeout = error === signal.reason && error instanceof AppError && error.code === 'TIMEOUT';
    if (!isTimeout) throw error;
    throw new AppError('TIMEOUT', { message: `The time ran out while ${stage}.`, cause: error });
  }
}
