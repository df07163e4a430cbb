import { StartupError } from '@gleaner/config';
import { AppError } from '@gleaner/contracts';

/** Describes in one line why a service could not start, with the suggestion of the error if it has one. */
export function describeStartError(error: unknown): string {
  if (error instanceof StartupError || error instanceof AppError)
    return `${error.message} ${error.suggestion}`;
  return `The service could not start: ${error instanceof Error ? error.message : String(error)}`;
}
