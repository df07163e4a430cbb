import type { Broker } from '@gleaner/broker';
import { FILE_PART_BYTES, type FileCommand } from '@gleaner/contracts';
import { type FileOwner, type Keeping, QuotaWatch, type Stores } from '@gleaner/storage';

/** Collaborators and settings of storing files. */
export interface FileDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly stores: Pick<Stores, 'clock' | 'files'>;
  readonly keeping: Keeping;
}

/** Parts that are stored at once; each takes a few megabytes of memory. */
const CONCURRENCY = 4;

/** Stores the files that scrapers download, part by part, until it is stopped. */
export function serveFiles({ broker, stores, keeping }: FileDeps) {
  const watch = new QuotaWatch(keeping.quotaBytes);

  async function carryOut({ accountId, jobId, fileId, step }: FileCommand): Promise<void> {
    const { clock, files } = stores;
    const owner: FileOwner = { id: fileId, accountId, jobId };
    const terms = { now: clock.now(), retentionMs: keeping.retentionMs };
    if (step.type === 'discard') return await files.discard(owner);
    if (step.type === 'finish') {
      await files.finishFile(owner, step.file, terms);
      if (watch.isDue(accountId, step.file.size)) await files.deleteExcess(accountId, keeping.quotaBytes);
      return;
    }
    const content = Buffer.from(step.content, 'base64').subarray(0, FILE_PART_BYTES);
    await files.insertPart(owner, { index: step.index, content }, terms);
  }

  return broker.respond(
    'files.commands',
    async ({ body }) => {
      await carryOut(body);
      return {};
    },
    { concurrency: CONCURRENCY },
  );
}
