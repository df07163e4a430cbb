import type { Warning } from '@gleaner/contracts';
import { type DatasetChange, datasetOf, type StoredJob } from '@gleaner/storage';
import { keepingOf, type WriteRecordsDeps } from './page-records.ts';

/** Result of a job for its dataset. */
interface DatasetFindings {
  /** Undefined if nothing has changed. */
  readonly datasetChange: Pick<DatasetChange, 'from' | 'to'> | undefined;
  readonly warnings: readonly Warning[];
}

const NOTHING: DatasetFindings = { datasetChange: undefined, warnings: [] };

/** Returns the changes of the dataset of a job since it began to write, and a warning if records did not fit. */
export async function findDatasetChange(
  { id, accountId, datasetJson }: Pick<StoredJob, 'id' | 'accountId' | 'datasetJson'>,
  deps: WriteRecordsDeps,
): Promise<DatasetFindings> {
  if (datasetJson === undefined) return NOTHING;
  const { name, id: datasetId } = datasetOf(datasetJson);
  const target = { accountId, name, datasetId };
  const change = await deps.stores.datasets.findChange(target, id, keepingOf(deps));
  if (!change) return NOTHING;
  const { from, to, isFull } = change;
  return { datasetChange: to > from ? { from, to } : undefined, warnings: isFull ? [fullWarning(name)] : [] };
}

function fullWarning(name: string): Warning {
  return {
    code: 'DATASET_FULL',
    message: `The dataset "${name}" is full: it has as many records, or the datasets of the account as many bytes, as they may have. Some records were not kept.`,
  };
}
