import {
  AppError,
  type CrawlOptions,
  type DatasetOptions,
  type ErrorDetail,
  nearestName,
  type ScrapeOptions,
} from '@gleaner/contracts';
import { type PlannedField, planSelectors } from '@gleaner/extraction';
import type { Stores } from '@gleaner/storage';
import { summarizeDetails } from '../../responses/summarize-details.ts';

/** Options of a job or schedule that may keep its records. */
interface DatasetRequest extends ScrapeOptions {
  readonly dataset?: DatasetOptions;
  readonly crawl?: CrawlOptions;
}

/** Fields of a page when neither selectors nor formats were given (packages/extraction). */
const DEFAULT_FIELDS = ['title', 'description', 'text'];

/**
 * Throws INVALID_REQUEST for a dataset whose rows or key no field gives, and DATASET_KEY_DIFFERS for one that the account has with
 * another key. The selectors are valid.
 */
export async function checkDataset(
  request: DatasetRequest,
  accountId: string,
  { datasets }: { readonly datasets: Pick<Stores['datasets'], 'requireDatasetKey'> },
): Promise<void> {
  const { dataset } = request;
  if (!dataset) return;
  const details = findDatasetErrors(dataset, request);
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  await datasets.requireDatasetKey(accountId, { name: dataset.name, key: dataset.key ?? [] });
}

function findDatasetErrors(dataset: DatasetOptions, request: DatasetRequest): ErrorDetail[] {
  const { rows, key } = dataset;
  if (request.download) return [{ path: 'dataset', message: NO_DATA_OF_FILES }];
  const pages = pagesOf(request);
  if (pages.length === 0) return [{ path: 'dataset', message: NEEDS_SELECTORS }];
  if (rows === undefined) return findKeyErrors(key ?? [], pages, 'the page');
  const lists = pages.flatMap((page) => listsIn(page));
  const ofRows = lists.filter(({ path }) => path === rows);
  if (ofRows.length === 0) return [{ path: 'dataset.rows', message: noSuchList(rows, lists) }];
  const records = ofRows.map(({ fields }) => fields);
  if (key) return findKeyErrors(key, records, `"${rows}"`);
  const names = namesIn(records).join(', ');
  return [
    {
      path: 'dataset.key',
      message: `is needed to tell the records of "${rows}" apart: name one or more of ${names}`,
    },
  ];
}

const NO_DATA_OF_FILES = 'has no effect with download, which extracts nothing';
const NEEDS_SELECTORS = 'needs selectors: formats alone have no fields to keep';

/** Fields of records, with the fields of lists in them. */
type Fields = readonly { readonly path: string; readonly list?: Fields }[];

/** Returns the fields of the pages of a job, by the rules of a crawl. */
function pagesOf({ selectors, formats, crawl }: DatasetRequest): Fields[] {
  const own = selectors ? [fieldsOf(selectors)] : formats ? [] : [DEFAULT_FIELDS.map((path) => ({ path }))];
  const ofRules = (crawl?.rules ?? []).flatMap((rule) => (rule.selectors ? [fieldsOf(rule.selectors)] : []));
  return [...own, ...ofRules];
}

function fieldsOf(selectors: NonNullable<ScrapeOptions['selectors']>): Fields {
  return flatten(planSelectors(selectors).fields, '');
}

function flatten(fields: readonly PlannedField[], outer: string): Fields {
  return fields.flatMap(({ name, takesAll, value, steps }): Fields => {
    const path = outer + name;
    if (takesAll) return [{ path, list: value.kind === 'record' ? flatten(value.fields, '') : [] }];
    if (value.kind === 'record') return flatten(value.fields, `${path}.`);
    return steps?.type === 'price'
      ? [{ path }, { path: `${path}.amount` }, { path: `${path}.currency` }]
      : [{ path }];
  });
}

/** Returns the lists of records of a page. */
function listsIn(page: Fields): { readonly path: string; readonly fields: Fields }[] {
  return page.flatMap(({ path, list }) => (list && list.length > 0 ? [{ path, fields: list }] : []));
}

function findKeyErrors(key: readonly string[], records: readonly Fields[], owner: string): ErrorDetail[] {
  const names = namesIn(records);
  return key.flatMap((path, index) => {
    // A value of JSON may have members.
    if (names.some((name) => path === name || path.startsWith(`${name}.`))) return [];
    const meant = nearestName(path, names);
    const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
    const message = `is not a field of ${owner} with one value${question} There are: ${names.join(', ')}`;
    return [
      {
        path: `dataset.key.${index}`,
        message: question === '' ? message.replace(' There', '. There') : message,
      },
    ];
  });
}

function namesIn(records: readonly Fields[]): string[] {
  return [...new Set(records.flat().flatMap(({ path, list }) => (list ? [] : [path])))];
}

function noSuchList(rows: string, lists: readonly { readonly path: string }[]): string {
  const names = [...new Set(lists.map(({ path }) => path))];
  if (names.length === 0)
    return 'must name a list of records, and the selectors have none: give a field "all": true and "fields"';
  const meant = nearestName(rows, names);
  const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return `must be one of the lists of records: ${names.join(', ')}${question}`;
}
