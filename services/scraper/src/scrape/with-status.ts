import { AppError, fromFailure, toFailure } from '@gleaner/contracts';

/** Awaits the reading of a page; an error that the page itself caused carries the page's status. */
export async function withStatus<Result>(statusCode: number, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof AppError) || error.source !== 'target' || error.code === 'TIMEOUT') throw error;
    throw fromFailure({ targetStatusCode: statusCode, ...toFailure(error) });
  }
}
