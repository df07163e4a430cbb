import { AppError } from '@gleaner/contracts';
import { validate } from 'node-cron';
import type { Timing } from './next-run.ts';
import { parseCron, splitFields } from './parse-cron.ts';
import { timeZoneName } from './time-zone-name.ts';
import { timingError } from './timing-error.ts';

/** Tells whether another implementation of cron reads an expression as well. */
export type SecondOpinion = (expression: string) => boolean;

/**
 * Checks when a new or changed schedule shall run, and returns it with the zone's name as IANA spells it. Throws
 * INVALID_REQUEST with the errors of both settings.
 *
 * An expression that we read and node-cron rejects is an error in one of the two: better no schedule than one that runs
 * at wrong times. That counts only here. A schedule that was accepted is never asked about again, so that an upgrade of
 * node-cron cannot stop it.
 */
export function checkTiming({ cron, timezone }: Timing, secondOpinion: SecondOpinion = validate): Timing {
  const errors: AppError[] = [];
  const check = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  check(() => checkCron(cron, secondOpinion));
  const name = check(() => timeZoneName(timezone));
  if (errors.length > 0 || name === undefined) throw joined(errors);
  return { cron, timezone: name };
}

/** The expression that restricts nothing. */
const OPEN = ['*', '*', '*', '*', '*'];

/** node-cron is asked field by field, since it reads two restricted day fields as "both" when it looks for impossible dates. */
function checkCron(expression: string, secondOpinion: SecondOpinion): void {
  parseCron(expression);
  const fields = splitFields(expression);
  if (fields.every((field, index) => secondOpinion(OPEN.with(index, field).join(' ')))) return;
  throw timingError(
    'cron',
    'is not read alike by every implementation of cron',
    'Use *, values, lists, ranges and steps, as in "*/15 9-17 * * mon-fri".',
  );
}

function joined(errors: readonly AppError[]): AppError {
  return new AppError('INVALID_REQUEST', {
    message: errors.map(({ message }) => message).join(' '),
    suggestion: errors.map(({ suggestion }) => suggestion).join(' '),
    details: errors.flatMap(({ details = [] }) => details),
  });
}
