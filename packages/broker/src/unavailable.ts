import { AppError, type AppErrorOptions } from '@gleaner/contracts';

const RETRY_AFTER_SECONDS = 2;

/** SERVICE_UNAVAILABLE with a Retry-After: the broker, the queue or the worker is away for now. */
export function unavailable(message: string, options: Omit<AppErrorOptions, 'message'> = {}): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...options,
    message,
  });
}
