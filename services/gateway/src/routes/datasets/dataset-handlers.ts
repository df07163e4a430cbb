import { AppError, type Dataset, type RouteQuery } from '@gleaner/contracts';
import { JSON_TYPE, NDJSON_TYPE } from '@gleaner/export';
import { requireRevision, type StoredDataset, type Stores } from '@gleaner/storage';
import { JsonText, StreamedResponse } from '../../responses/responses.ts';
import type { Handlers } from '../handler.ts';
import { inPlace, type JobStreams } from '../jobs/job-streams.ts';
import { renderCsv, renderLines, renderPage, renderParquet, renderVersion } from './render-records.ts';

/** Collaborators of the handlers. */
export interface DatasetDeps extends Pick<Stores, 'clock' | 'datasets'> {
  readonly jobStreams: JobStreams;
}

type DatasetRoute = 'listDatasets' | 'getDataset' | 'listRecords' | 'getRecordHistory' | 'deleteDataset';

const DEFAULT_RECORDS = 100;
const MAX_HISTORY = 100;

/** Handlers of datasets, the tables that jobs keep. */
export const datasetHandlers: Handlers<DatasetRoute, DatasetDeps> = {
  async listDatasets({ caller }, { datasets }) {
    const found = await datasets.listDatasets(caller.account.id);
    return { success: true, datasets: found.map(describeDataset) };
  },

  async getDataset({ caller, params }, deps) {
    const dataset = await findDataset(caller.account.id, params.name, deps);
    return { success: true, dataset: describeDataset(dataset) };
  },

  async listRecords({ caller, params, query, signal }, deps) {
    const { format = 'json', since = 0 } = query;
    const dataset = await findDataset(caller.account.id, params.name, deps, since);
    const headers = {
      'Content-Type': CONTENT_TYPES[format],
      ...(format !== 'json' && {
        'Content-Disposition': `attachment; filename="${dataset.name}.${format}"`,
      }),
    };
    return new StreamedResponse(headers, () =>
      inPlace({ caller, signal }, deps.jobStreams, () => render(dataset, query, deps.jobStreams)),
    );
  },

  async getRecordHistory({ caller, params: { name, key = '' } }, deps) {
    const { datasetId } = await findDataset(caller.account.id, name, deps);
    const history = await deps.datasets.findHistory(datasetId, key, MAX_HISTORY);
    if (!history) throw new AppError('RECORD_NOT_FOUND');
    const versions = history.map(renderVersion).join(',');
    return new JsonText(`{"success":true,"key":${JSON.stringify(key)},"history":[${versions}]}`);
  },

  async deleteDataset({ caller, params: { name = '' } }, { datasets, clock }) {
    const isRemoved = await datasets.removeDataset(caller.account.id, name, clock.now());
    if (!isRemoved) throw new AppError('DATASET_NOT_FOUND');
    return undefined;
  },
};

const CONTENT_TYPES = {
  json: JSON_TYPE,
  ndjson: NDJSON_TYPE,
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
} as const;

function render(
  dataset: StoredDataset,
  { format = 'json', since, limit, op, changedAfter }: RouteQuery<'listRecords'>,
  { datasets }: Pick<JobStreams, 'datasets'>,
): AsyncIterable<string | Uint8Array> {
  const after = changedAfter === undefined ? undefined : new Date(changedAfter);
  const feed = { since: since ?? 0, op, changedAfter: after };
  if (format === 'json') {
    const page = { since: feed.since, limit: limit ?? DEFAULT_RECORDS, end: dataset.revision };
    return renderPage(datasets.readFeed(dataset, feed), page);
  }
  const read = () =>
    since === undefined
      ? datasets.readTable(dataset, { op: op ?? 'upsert', changedAfter: after })
      : datasets.readFeed(dataset, feed);
  const most = limit ?? Number.POSITIVE_INFINITY;
  if (format === 'parquet') return renderParquet(read, dataset.columns, most);
  return format === 'csv' ? renderCsv(read(), dataset.columns, most) : renderLines(read(), most);
}

/** Finds the dataset of a name. Throws DATASET_NOT_FOUND, and REVISION_GONE if it does not go on from a revision. */
async function findDataset(
  accountId: string,
  name = '',
  { datasets }: Pick<DatasetDeps, 'datasets'>,
  since = 0,
): Promise<StoredDataset> {
  const dataset = await datasets.findDataset(accountId, name);
  if (dataset) requireRevision(dataset, since);
  if (!dataset?.isLive) throw new AppError('DATASET_NOT_FOUND');
  return dataset;
}

function describeDataset(dataset: StoredDataset): Dataset {
  const { name, key, records, gone, bytes, revision, columns, createdAt, changedAt } = dataset;
  return {
    name,
    key: [...key],
    records,
    gone,
    bytes,
    revision,
    columns: [...columns],
    createdAt: createdAt.toISOString(),
    changedAt: changedAt?.toISOString() ?? null,
  };
}
