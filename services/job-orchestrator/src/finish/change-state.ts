import type { Broker } from '@gleaner/broker';
import { createId, defined, type JobEvent } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { StoredJob, Stores, Transition, UnsentEvent } from '@gleaner/storage';
import { changeOf, type JobTrigger } from './job-machine.ts';

/** Collaborators of sending events. */
export interface EventDeps {
  readonly stores: Pick<Stores, 'jobs'>;
  readonly broker: Pick<Broker, 'publishEvents'>;
  readonly logger: Logger;
}

/**
 * Lets a trigger change a job's state, durably and once, and stores the event with it. Returns null if the trigger cannot
 * change the job's present state. Call `sendEvents` afterwards; the reconciler sends events that were not sent.
 */
export async function changeState(
  jobId: string,
  trigger: JobTrigger,
  set: Transition['set'],
  { stores }: { readonly stores: Pick<Stores, 'clock' | 'jobs'> },
): Promise<StoredJob | null> {
  const { from, to, eventType } = changeOf(trigger);
  const event = { id: createId('evt'), type: eventType, at: stores.clock.now() };
  return await stores.jobs.transition(jobId, { from, to, set, event });
}

/** Sends a job's unsent events, and deletes the confirmed ones; the reconciler sends the rest. */
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
  const optional = { ...(scheduleId && { scheduleId }), ...defined({ batch }) };
  return { id, type, jobId, accountId, ...optional, at: at.toISOString() };
}
