import type { Broker } from '@gleaner/broker';
import { type Logger, sendCommand } from '@gleaner/service-kit';
import type { StoredJob } from '@gleaner/storage';

/** Collaborators of asking for a run. */
export interface HastenDeps {
  readonly broker: Pick<Broker, 'consumerCount' | 'request'>;
  readonly logger: Logger;
}

const TIMEOUT_MS = 10_000;

/**
 * Asks the scheduler for a run of the schedule by this time, which confirms what a run has found. Without it, the next run that is due
 * confirms it, so that an error is only logged.
 */
export async function hastenRun(
  { scheduleId, accountId }: Pick<StoredJob, 'accountId'> & { readonly scheduleId: string },
  at: Date,
  { broker, logger }: HastenDeps,
  signal: AbortSignal,
): Promise<void> {
  const command = { type: 'hasten' as const, scheduleId, accountId, at: at.toISOString() };
  const options = {
    service: 'scheduler',
    timeoutMs: TIMEOUT_MS,
    timeoutSuggestion: 'The next run that is due confirms what the rules have found.',
    signal,
  };
  try {
    await sendCommand({ broker }, 'schedules.commands', command, options);
  } catch (err) {
    signal.throwIfAborted();
    logger.warn(
      { err, scheduleId },
      'A run to confirm a rule was not asked for; the next one that is due confirms it.',
    );
  }
}
