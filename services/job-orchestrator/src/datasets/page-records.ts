import { parseInTurns, takingTurns, type Warning } from '@gleaner/contracts';
import {
  type DatasetOfJob,
  type DatasetTarget,
  type FoundRecord,
  pageIndexOf,
  type Stores,
} from '@gleaner/storage';
import { readRecords, warningsOf } from './read-records.ts';

/** Collaborators and settings of writing records. */
export interface WriteRecordsDeps {
  readonly stores: Pick<Stores, 'clock' | 'datasets'>;
  readonly retentionMs: number;
  /** Bytes of records that an account may keep. */
  readonly datasetQuotaBytes: number;
}

/** An attempt that found a page of a job with a dataset, and the data of the page as JSON. */
export interface PageWithData {
  readonly jobId: string;
  readonly pageId: string;
  readonly attempt: number;
  readonly url: string;
  readonly dataJson: string;
  readonly dataset: DatasetOfJob;
}

/** Records of a page, and the warnings about records that are left out. */
export interface PageRecords {
  readonly records: readonly FoundRecord[];
  readonly warnings: readonly Warning[];
}

/** Reads the records of pages, one after the other; other work of the process gets its turn. */
export async function readPages(pages: readonly PageWithData[]): Promise<ReadonlyMap<string, PageRecords>> {
  const takeTurns = takingTurns();
  const found = new Map<string, PageRecords>();
  for (const { jobId, pageId, attempt, url, dataJson, dataset } of pages) {
    const page = { jobId, index: pageIndexOf(pageId), attempt, url };
    const records: FoundRecord[] = [];
    const counts = { KEY_MISSING: 0, RECORD_TOO_LARGE: 0 };
    const data = (await parseInTurns(dataJson, takeTurns)) as object;
    for (const record of readRecords(data, page, dataset)) {
      if (typeof record === 'string') counts[record] += 1;
      else records.push(record);
      await takeTurns();
    }
    found.set(pageId, { records, warnings: warningsOf(counts, dataset) });
    await takeTurns();
  }
  return found;
}

/** Writes records of jobs to their datasets, durably; can be repeated. */
export async function writeRecords(
  records: readonly FoundRecord[],
  terms: ReadonlyMap<string, DatasetTerms>,
  deps: WriteRecordsDeps,
): Promise<void> {
  for (const [datasetId, ofDataset] of Map.groupBy(records, ({ jobId }) => terms.get(jobId)?.dataset?.id)) {
    const [first] = ofDataset;
    const target = first && targetOf(terms.get(first.jobId));
    if (datasetId !== undefined && target)
      await deps.stores.datasets.writeRecords(target, ofDataset, keepingOf(deps));
  }
}

/** Part of the terms of a job. */
interface DatasetTerms {
  readonly accountId: string;
  readonly dataset: DatasetOfJob | undefined;
}

/** Returns the dataset that a job writes to; undefined if it writes to none. */
function targetOf(terms: DatasetTerms | undefined): DatasetTarget | undefined {
  const { accountId, dataset } = terms ?? {};
  if (accountId === undefined || !dataset) return undefined;
  return { accountId, name: dataset.name, datasetId: dataset.id };
}

/** Returns the time and the bounds of a write. */
export function keepingOf({ stores, datasetQuotaBytes: quotaBytes, retentionMs }: WriteRecordsDeps) {
  return { at: stores.clock.now(), quotaBytes, retentionMs };
}
