import { StartupError } from '@gleaner/config';
import { AppError } from '@gleaner/contracts';

/** Why a service could not start, in one line for its operator, with what to do where that is known. */
export function describeFault(fault: unknown): string {
  if (fault instanceof StartupError || fault instanceof AppError)
    return `${fault.message} ${fault.suggestion}`;
  return `The service could not start: ${fault instanceof Error ? fault.message : String(fault)}`;
}
