import { AppError, type UsageQuery } from '@gleaner/contracts';

/** From one moment (included) to another (not included). */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** The days of a query in UTC, both included; by default the 30 that end today, or that end with `to`. */
export function readPeriod({ from, to }: UsageQuery, now: Date): Period {
  const lastMs = to === undefined ? startOfDay(now) : Date.parse(to);
  const firstMs = from === undefined ? lastMs - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(from);
  if (firstMs > lastMs) throw invalid('must not be after "to"');
  const endMs = lastMs + DAY_MS;
  if (endMs - firstMs > MAX_DAYS * DAY_MS) throw invalid(`must be at most ${MAX_DAYS} days before the end`);
  return { from: new Date(firstMs), to: new Date(endMs) };
}

function startOfDay(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS) * DAY_MS;
}

function invalid(message: string): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `from ${message}.`,
    details: [{ path: 'from', message }],
  });
}
