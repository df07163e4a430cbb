import { AppError, type ErrorSource, fromFailure, toFailure } from '@gleaner/contracts';

/**
 * Awaits the work of a stage; when the deadline passes in it, the TIMEOUT names the stage. Its source is the target, or
 * "api" for a stage in which the page waits for something of ours.
 */
export async function inStage<Result>(
  stage: string,
  signal: AbortSignal,
  work: Promise<Result>,
  source: ErrorSource = 'target',
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isTimeout = error === signal.reason && error instanceof AppError && error.code === 'TIMEOUT';
    if (!isTimeout) throw error;
    throw new AppError('TIMEOUT', { source, message: `The time ran out while ${stage}.`, cause: error });
  }
}

/** Awaits the reading of a page; an error that the page itself caused carries the page's status. */
export async function withStatus<Result>(statusCode: number, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof AppError) || error.source !== 'target' || error.code === 'TIMEOUT') throw error;
    throw fromFailure({ targetStatusCode: statusCode, ...toFailure(error) });
  }
}
