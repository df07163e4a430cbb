import type { Broker } from '@gleaner/broker';
import { AccountPlaces } from '@gleaner/service-kit';
import type { PageReader } from '../extract/page-reader.ts';

/** Commands of one account that wait or run in this process at once. */
const MAX_PER_ACCOUNT = 4;
/** Commands taken while they wait for a place, so that those of other accounts are seen behind them. */
const MAX_WAITING = 8;

/** Dependencies of the work on snapshots. */
export interface SnapshotDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly pageReader: Pick<PageReader, 'workOnSnapshot'>;
}

/** Works on snapshots until it is stopped: in threads, where accounts take turns. */
export function serveSnapshots({ broker, pageReader }: SnapshotDeps) {
  const places = new AccountPlaces({ perAccount: MAX_PER_ACCOUNT });
  return broker.respond(
    'snapshots.commands',
    async ({ body, signal }) => {
      using _place = await places.take(body.accountId, signal);
      return { content: await pageReader.workOnSnapshot(body, signal) };
    },
    { concurrency: places.total + MAX_WAITING },
  );
}
