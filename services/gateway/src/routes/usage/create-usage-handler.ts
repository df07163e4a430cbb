import type { Stores } from '@gleaner/storage';
import type { Handler } from '../handler.ts';
import { readPeriod } from './read-period.ts';

/** `GET /v1/usage`: what the caller's account has used, has reserved and has left. */
export function createUsageHandler({ usage }: Pick<Stores, 'usage'>): Handler<'getUsage'> {
  return async ({ caller, query, arrivedAtMs, signal }) => {
    const period = readPeriod(query, new Date(arrivedAtMs));
    const summary = await usage.summarise({ accountId: caller.account.id, ...period, signal });
    return { success: true, usage: summary };
  };
}
