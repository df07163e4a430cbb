import type { Broker } from '@gleaner/broker';
import type { JobEvent } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { StoredJob, Stores, UnsentEvent } from '@gleaner/storage';

/** Collaborators of sending events. */
export interface EventDeps {
  readonly stores: Pick<Stores, 'jobs'>;
  readonly broker: Pick<Broker, 'publishEvents'>;
  readonly logger: Logger;
}

/** Sends a job's unsent events, and deletes those that the broker confirmed; the reconciler sends the rest. */
export async function sendEvents(
  job: Pick<StoredJob, 'id' | 'accountId' | 'scheduleId' | 'events'>,
  { stores, broker, logger }: EventDeps,
): Promise<void> {
  if (job.events.length === 0) return;
  const errors = await broker.publishEvents(job.events.map((event) => toMessage(job, event)));
  const sent = job.events.filter((_, index) => errors[index] === undefined);
  if (sent.length > 0) {
    await stores.jobs.confirmEvents(
      job.id,
      sent.map(({ id }) => id),
    );
  }
  const err = errors.find((error) => error !== undefined);
  if (err) logger.warn({ err, jobId: job.id }, 'An event was not sent; the reconciler sends it again.');
}

function toMessage(
  { id: jobId, accountId, scheduleId }: Pick<StoredJob, 'id' | 'accountId' | 'scheduleId'>,
  { id, type, at, batch }: UnsentEvent,
): JobEvent {
  const optional = { ...(scheduleId && { scheduleId }), ...(batch !== undefined && { batch }) };
  return { id, type, jobId, accountId, ...optional, at: at.toISOString() };
}
