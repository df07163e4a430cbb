import { Pacer } from './query/pacer.ts';
import type { Catalog } from './storage/catalog.ts';
import type { Collection } from './storage/collection.ts';
import { deleteMany } from './writes/delete-documents.ts';

interface TtlDeps {
  readonly catalog: Catalog;
  readonly clock: () => Date;
  readonly intervalMs: number;
  readonly logger: { error(details: object, message: string): void };
}

/**
 * Deletes expired documents every interval: their indexed field, or "the earliest date" of an array in it, is
 * older than `expireAfterSeconds`. Fields without a date never expire.
 */
export function startTtlMonitor({ catalog, clock, intervalMs, logger }: TtlDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running = Promise.resolve();
  const run = async () => {
    for (const collection of catalog.list()) await removeExpired(collection, clock(), stopping.signal);
  };
  const timer = setInterval(() => {
    running = running.then(run).catch((error: unknown) => {
      if (!stopping.signal.aborted)
        logger.error({ err: error }, 'The TTL monitor could not delete expired documents.');
    });
  }, intervalMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

async function removeExpired(collection: Collection, now: Date, signal: AbortSignal): Promise<void> {
  for (const { spec } of [...collection.indexes]) {
    const [field] = spec.fields;
    if (spec.expireAfterSeconds === undefined || field === undefined) continue;
    const oldest = new Date(now.getTime() - spec.expireAfterSeconds * 1000);
    const expired = { [field.path]: { $lt: oldest } };
    const filter = spec.partialFilterExpression ? { $and: [spec.partialFilterExpression, expired] } : expired;
    const deps = { collection, pacer: new Pacer(0, signal) };
    await deleteMany({ filter }, deps);
  }
}
