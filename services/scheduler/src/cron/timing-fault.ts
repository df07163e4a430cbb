import { AppError } from '@gleaner/contracts';

/** The settings that say when a schedule runs. */
type TimingField = 'cron' | 'timezone';

/** INVALID_REQUEST for one of the settings that say when to run; `message` reads on from the name of the field. */
export function timingFault(path: TimingField, message: string, suggestion: string): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `${path} ${message}.`,
    suggestion,
    details: [{ path, message }],
  });
}
