import { AppError, type Usage, type UsageQuery } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { CheckedCall, Handler } from '../handler.ts';

/** Collaborators of the handler. */
export type UsageDeps = Pick<Stores, 'usage'>;

/** Handles `GET /v1/usage`: credits that the account has used, reserved and left. */
export const usageHandler: Handler<'getUsage', UsageDeps> = async ({ query, ...call }, deps) => {
  return { success: true, usage: await summarizeUsage(query, call, deps) };
};

/** Returns the credits used by the account in the days of a query, and its remaining ones. */
export async function summarizeUsage(
  query: UsageQuery,
  { caller, arrivedAtMs, signal }: Pick<CheckedCall<'getUsage'>, 'caller' | 'arrivedAtMs' | 'signal'>,
  { usage }: UsageDeps,
): Promise<Usage> {
  const period = readPeriod(query, new Date(arrivedAtMs));
  return await usage.summarize({ accountId: caller.account.id, ...period, signal });
}

/** From one moment (included) to another (excluded). */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** The day after has a year of five digits, which ISO 8601 timestamps cannot show. */
const LAST_DAY = '9999-12-30';

/** Returns the days of a query in UTC, both included; by default the 30 days that end today, or at `to`. */
export function readPeriod({ from, to }: UsageQuery, now: Date): Period {
  if (to !== undefined && to > LAST_DAY) throw invalid('to', `must not be after ${LAST_DAY}`);
  const lastMs = to === undefined ? startOfDay(now) : Date.parse(to);
  const firstMs = from === undefined ? lastMs - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(from);
  if (firstMs > lastMs) throw invalid('from', 'must not be after "to"');
  const endMs = lastMs + DAY_MS;
  if (endMs - firstMs > MAX_DAYS * DAY_MS) {
    throw invalid('from', `must be at most ${MAX_DAYS} days before the end`);
  }
  return { from: new Date(firstMs), to: new Date(endMs) };
}

function startOfDay(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS) * DAY_MS;
}

function invalid(path: 'from' | 'to', message: string): AppError {
  return new AppError('INVALID_REQUEST', { message: `${path} ${message}.`, details: [{ path, message }] });
}
