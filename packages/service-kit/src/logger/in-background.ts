import type { Logger } from './create-logger.ts';

/**
 * Runs a promise without waiting for it: a failure becomes an error line in the log instead of an unhandled rejection,
 * which would end the process. The only way for a service to start work that it does not await.
 */
export function inBackground(
  promise: Promise<unknown>,
  logger: Pick<Logger, 'error'>,
  message = 'Background work failed.',
): void {
  promise.catch((err: unknown) => logger.error({ err }, message));
}
