import type { SinkTarget } from '@gleaner/config';
import { AppError } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { ClaimedDelivery, ResultReader, Stores } from '@gleaner/storage';
import { keepLease } from './keep-lease.ts';
import { describeStoreError, openStore } from './object-store.ts';
import type { SinkOrder } from './write-job.ts';

/** Collaborators and settings of writing to sinks. */
export interface SinkDeps {
  readonly stores: Pick<Stores, 'jobs' | 'clock' | 'deliveries'> & ResultReader;
  readonly logger: Logger;
  readonly sinks: readonly SinkTarget[];
  readonly sinkTimeoutMs: number;
  /** Lease of a job: how long a notifier that has died keeps it from others. */
  readonly sinkLeaseMs: number;
  /** Ends an attempt without an outcome: another notifier makes it again. */
  readonly stopping: AbortSignal;
}

/** Outcome of writing a job: empty if it was written. */
export interface SinkOutcome {
  readonly statusCode?: number;
  readonly error?: string;
  /** Reason why no attempt can write it. */
  readonly endReason?: string;
}

/** Writes the results of a job to its sink once. Errors of the sink are returned, others are thrown. */
export async function writeToSink(delivery: ClaimedDelivery, deps: SinkDeps): Promise<SinkOutcome> {
  const { stores, logger } = deps;
  const { data: order } = JSON.parse(delivery.body) as { readonly data: SinkOrder };
  const target = deps.sinks.find(({ name }) => name === order.sink.name);
  if (!target) return { endReason: `The service has no sink "${order.sink.name}" any more.` };
  const [job] = await stores.jobs.findJobs([delivery.jobId ?? '']);
  if (!job) return { endReason: 'The results of the job are not kept any more.' };
  // Loaded here: the writers of files bring the whole engine of selectors.
  const { TooManyParts, writeJob } = await import('./write-job.ts');
  await using lease = keepLease(delivery, deps);
  const timeout = AbortSignal.timeout(deps.sinkTimeoutMs);
  try {
    using store = await openStore(target, AbortSignal.any([lease.signal, timeout]));
    await writeJob(job, order, { store, reader: stores });
    return {};
  } catch (error) {
    if (lease.signal.aborted || error instanceof AppError) throw error;
    if (error instanceof TooManyParts) return { endReason: TOO_MANY_FILES };
    logger.warn({ err: error, deliveryId: delivery.id, sink: target.name }, 'A sink was not written.');
    return timeout.aborted ? { error: TOOK_TOO_LONG } : describeStoreError(error);
  }
}

const TOO_MANY_FILES = 'The results need more than 10,000 files: raise partBytes.';
const TOOK_TOO_LONG = 'The sink took longer than the operator allows (SINK_TIMEOUT_MS).';
