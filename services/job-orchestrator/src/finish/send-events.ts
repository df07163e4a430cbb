import type { Broker } from '@gleaner/broker';
import type { JobEvent } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { StoredJob, Stores, UnsentEvent } from '@gleaner/storage';

/** What announcing takes. */
export interface EventDeps {
  readonly stores: Pick<Stores, 'jobs'>;
  readonly broker: Pick<Broker, 'publishEvents'>;
  readonly logger: Logger;
}

/** Announces what the job still has to tell, and forgets what the broker has confirmed; the rest stays for later. */
export async function sendEvents(
  job: Pick<StoredJob, 'id' | 'accountId' | 'scheduleId' | 'events'>,
  { stores, broker, logger }: EventDeps,
): Promise<void> {
  if (job.events.length === 0) return;
  const faults = await broker.publishEvents(job.events.map((event) => toMessage(job, event)));
  const sent = job.events.filter((_, index) => faults[index] === undefined);
  if (sent.length > 0) {
    await stores.jobs.confirmEvents(
      job.id,
      sent.map(({ id }) => id),
    );
  }
  const err = faults.find((fault) => fault !== undefined);
  if (err) logger.warn({ err, jobId: job.id }, 'An event was not announced; it is announced again later.');
}

function toMessage(
  { id: jobId, accountId, scheduleId }: Pick<StoredJob, 'id' | 'accountId' | 'scheduleId'>,
  { id, type, at }: UnsentEvent,
): JobEvent {
  return { id, type, jobId, accountId, ...(scheduleId && { scheduleId }), at: at.toISOString() };
}
