import type { Broker } from '@gleaner/broker';
import type { SnapshotCommand } from '@gleaner/contracts';
import { ThreadPool } from '@gleaner/extraction';

/** Commands that wait or run here at once; others go to other scrapers. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 20_000;

/** Dependencies of the work on snapshots. */
export interface SnapshotDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly maxThreads: number;
}

/** Works on snapshots until it is stopped: pages are parsed in threads, where accounts take turns. */
export function serveSnapshots({ broker, maxThreads }: SnapshotDeps) {
  const module = new URL('./snapshot-thread.ts', import.meta.url);
  const pool = new ThreadPool<SnapshotCommand, string>({ module, maxThreads, timeoutMs: TIMEOUT_MS });
  const consumer = broker.respond(
    'snapshots.commands',
    async ({ body, signal }) => ({ content: await pool.run(body, { signal, queue: body.accountId }) }),
    { concurrency: CONCURRENCY },
  );
  return {
    async stop(withinMs: number): Promise<void> {
      await consumer.stop(withinMs);
      await pool.close();
    },
  };
}
