import type { Broker } from '@gleaner/broker';
import { AccountPlaces } from '@gleaner/service-kit';
import { type ContentCommand, isSent, type PageReader } from '../extract/page-reader.ts';
import type { ModelExtractor } from '../model/model-extractor.ts';
import { solveSchema } from './solve-schema.ts';

/** Commands of one account that wait or run in this process at once. */
const MAX_PER_ACCOUNT = 4;
/** The same for pages that callers send: someone who picks elements in the console does not wait for them. */
const MAX_SENT_PER_ACCOUNT = 2;
/** Commands taken before they have a place, so that commands of other accounts are seen behind them. */
const MAX_WAITING = 8;

/** Dependencies of the work on snapshots. */
export interface SnapshotDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly pageReader: Pick<PageReader, 'workOnSnapshot' | 'read'>;
  readonly model: ModelExtractor | undefined;
}

/** Works on snapshots until it is stopped: in threads, where accounts take turns. */
export function serveSnapshots({ broker, pageReader, model }: SnapshotDeps) {
  const kept = new AccountPlaces({ perAccount: MAX_PER_ACCOUNT });
  const sent = new AccountPlaces({ perAccount: MAX_SENT_PER_ACCOUNT });
  const carryOut = async (command: ContentCommand, signal: AbortSignal) => {
    const places = isSent(command) ? sent : kept;
    using _place = await places.take(command.accountId, signal);
    return { content: await pageReader.workOnSnapshot(command, signal) };
  };
  return broker.respond(
    'snapshots.commands',
    async ({ body, signal }) => {
      if ('file' in body) return await carryOut(body, signal);
      const { task, ...command } = body;
      // A model has places of its own.
      if (task.type === 'solve')
        return await solveSchema({ ...command, task }, signal, { pageReader, model });
      return await carryOut({ ...command, task }, signal);
    },
    { concurrency: kept.total + sent.total + MAX_WAITING },
  );
}
