import { type CreateJobCommand, requireCredits, toAppError } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';

/**
 * Returns the errors of the runs of schedules that their accounts cannot pay for, by the ids of their jobs. The gateway checks
 * all other jobs before it sends their commands.
 */
export async function findUnaffordable(
  commands: readonly CreateJobCommand[],
  accounts: Pick<Stores['accounts'], 'findAccounts'>,
): Promise<ReadonlyMap<string, Error>> {
  const runs = commands.filter(({ scheduleId }) => scheduleId !== undefined);
  if (runs.length === 0) return new Map();
  const found = await accounts.findAccounts([...new Set(runs.map(({ accountId }) => accountId))]);
  const balances = new Map(found.map(({ id, balance }) => [id, balance]));
  const errors = new Map<string, Error>();
  for (const { jobId, accountId, request } of runs) {
    const balance = balances.get(accountId);
    if (balance == null) continue;
    try {
      await requireCredits(request, balance);
    } catch (error) {
      errors.set(jobId, toAppError(error));
    }
  }
  return errors;
}
