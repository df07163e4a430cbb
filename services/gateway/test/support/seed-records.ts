import { createHash } from 'node:crypto';
import { createId } from '@gleaner/contracts';
import {
  type DatasetKeeping,
  type DatasetTarget,
  type FoundRecord,
  recordIdOf,
  type Stores,
} from '@gleaner/storage';

/** Writes records with the key `isbn` to a dataset, as a job does; with `isWhole`, all others become gone. */
export async function seedRecords(
  { datasets }: Pick<Stores, 'datasets'>,
  accountId: string,
  name: string,
  records: readonly { readonly isbn: string; readonly [name: string]: unknown }[],
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Promise<DatasetTarget> {
  const at = new Date();
  const datasetId = await datasets.ensureDataset(accountId, { name, key: ['isbn'] }, at);
  const target = { accountId, name, datasetId };
  const keeping: DatasetKeeping = { at, quotaBytes: 1024 ** 3, retentionMs: 3_600_000 };
  const jobId = createId('job');
  const found = records.map((record): FoundRecord => {
    const json = JSON.stringify(record);
    const page = { jobId, index: 0, attempt: 1, url: 'https://example.com/' };
    const hash = createHash('sha256').update(json).digest('base64url');
    return {
      ...page,
      key: record.isbn,
      json,
      hash,
      bytes: Buffer.byteLength(json),
      columns: Object.entries(record).flatMap(([name, value]) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.keys(value).map((member) => `${name}.${member}`)
          : name,
      ),
    };
  });
  await datasets.writeRecords(target, found, keeping);
  const ids = new Set(found.map(({ key }) => recordIdOf(datasetId, key)));
  if (isWhole) await datasets.writeGone(target, { jobId, isFound: (id) => ids.has(id) }, keeping);
  return target;
}
