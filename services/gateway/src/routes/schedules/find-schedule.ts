import { AppError } from '@gleaner/contracts';
import type { StoredSchedule, Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';

/** Finds a schedule of the caller's account. Throws SCHEDULE_NOT_FOUND, also for schedules of other accounts. */
export async function findSchedule(
  { account }: Caller,
  id: string | undefined,
  { schedules }: { readonly schedules: Pick<Stores['schedules'], 'findSchedule'> },
): Promise<StoredSchedule> {
  const schedule = await schedules.findSchedule({ accountId: account.id, id: id ?? '' });
  if (!schedule) throw new AppError('SCHEDULE_NOT_FOUND');
  return schedule;
}
