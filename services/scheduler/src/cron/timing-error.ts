import { AppError } from '@gleaner/contracts';

/**
 * Returns INVALID_REQUEST for one of the settings that say when to run; `message` continues the field's name. The detail has the
 * suggestion too: programs that show errors at their fields have nothing else to show.
 */
export function timingError(path: 'cron' | 'timezone', message: string, suggestion: string): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `${path} ${message}.`,
    suggestion,
    details: [{ path, message: `${message}. ${suggestion.replace(/\.$/, '')}` }],
  });
}
