import { AppError } from '@gleaner/contracts';
import { nextRun } from './next-run.ts';
import { parseCron } from './parse-cron.ts';
import type { TimeZones } from './time-zones.ts';

/** When a schedule runs. */
export interface Timing {
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

/** When a schedule runs next after a moment. Throws INVALID_REQUEST with the faults of both settings. */
export function nextRunOf({ cron, timezone }: Timing, after: Date, zones: TimeZones): Date {
  const [parsed, zone] = [attempt(() => parseCron(cron)), attempt(() => zones.find(timezone))];
  if (parsed.ok && zone.ok) return nextRun(parsed.value, zone.value, after);
  throw joined([parsed, zone].flatMap((result) => (result.ok ? [] : [result.fault])));
}

type Attempt<Value> = { ok: true; value: Value } | { ok: false; fault: AppError };

function attempt<Value>(work: () => Value): Attempt<Value> {
  try {
    return { ok: true, value: work() };
  } catch (fault) {
    if (fault instanceof AppError) return { ok: false, fault };
    throw fault;
  }
}

function joined(faults: readonly AppError[]): AppError {
  return new AppError('INVALID_REQUEST', {
    message: faults.map(({ message }) => message).join(' '),
    suggestion: faults.map(({ suggestion }) => suggestion).join(' '),
    details: faults.flatMap(({ details = [] }) => details),
  });
}
