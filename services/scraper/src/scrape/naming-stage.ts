import { AppError } from '@gleaner/contracts';

/** Does the work of a stage; when the time runs out in it, the TIMEOUT says so. */
export async function namingStage<Result>(
  stage: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    const isTimeout = thrown === signal.reason && thrown instanceof AppError && thrown.code === 'TIMEOUT';
    if (!isTimeout) throw thrown;
    throw new AppError('TIMEOUT', { message: `The time ran out while ${stage}.`, cause: thrown });
  }
}
