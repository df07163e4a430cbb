import type { CrawlOptions, ScrapeOptions } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import {
  type Column,
  fieldColumnsOf,
  type ListField,
  listFieldsOf,
  OUTCOME_COLUMNS,
  pageColumn,
  pageColumnsOf,
} from './field-columns.ts';

/** Options of a job that decide the content of its results. */
export interface ExportedOptions {
  readonly options: ScrapeOptions;
  /** Only of crawls. */
  readonly crawl?: CrawlOptions | undefined;
  /** The URLs have methods and bodies of their own. */
  readonly hasRequests?: boolean | undefined;
}

/** Choice of the columns and rows of a table. */
export interface TableChoice {
  /** The list whose entries are rows. */
  readonly rows?: ListField | undefined;
  /** `all` has a row also for pages without a record. */
  readonly pages?: 'records' | 'all' | undefined;
}

/** Returns the columns of a job's results, known before they are read: what was extracted, then what is known of the page. */
export function columnsOf(exported: ExportedOptions, { rows, pages }: TableChoice): Column[] {
  const { options, crawl, hasRequests } = exported;
  const isCompared = crawl !== undefined && (crawl.since !== undefined || crawl.changes === true);
  const outcomes = pages === 'all' ? OUTCOME_COLUMNS : [];
  return named(fieldsOf(exported, rows), [
    ...pageColumnsOf(options),
    ...(hasRequests ? [REQUEST_COLUMN] : []),
    ...(isCompared ? COMPARED_COLUMNS : []),
    ...outcomes,
  ]);
}

/** Returns every column that can be chosen by name. */
export function allColumnsOf(exported: ExportedOptions, { rows }: TableChoice): Column[] {
  const ofCrawl = exported.crawl ? [...COMPARED_COLUMNS, ...CRAWL_COLUMNS] : [];
  const ofPage = [
    ...pageColumnsOf({ ...exported.options, screenshot: true }),
    ...(exported.hasRequests ? [REQUEST_COLUMN] : []),
    ...OUTCOME_COLUMNS,
    ...ofCrawl,
  ];
  return named(fieldsOf(exported, rows), ofPage);
}

/**
 * Returns the columns of the extracted fields; for rows from a list, its columns go without the list's name where this
 * is unambiguous.
 */
function fieldsOf(exported: ExportedOptions, rows: ListField | undefined): Column[] {
  // Without a crawl, nothing was read of what was downloaded.
  if (exported.options.download && !exported.crawl) return [];
  const columns = exported.crawl ? unionOf(exported, rows) : fieldColumnsOf(exported.options, rows);
  const prefix = rows ? `${rows.path}.` : undefined;
  const others = new Set(columns.flatMap(({ name }) => (prefix && name.startsWith(prefix) ? [] : [name])));
  return columns.map((column) => {
    if (!prefix || !column.name.startsWith(prefix)) return column;
    const short = column.name.slice(prefix.length);
    return others.has(short) ? column : { ...column, name: short };
  });
}

/** Renames columns of the page beside a field of the same name: `pageUrl` beside a field `url`. */
function named(fields: readonly Column[], ofPage: readonly Column[]): Column[] {
  const taken = new Set(fields.map(({ name }) => name));
  const renamed = ofPage.map((column) => {
    let { name } = column;
    while (taken.has(name)) name = `page${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return { ...column, name };
  });
  return [...fields, ...renamed];
}

/** Returns the columns of a crawl, whose rules may extract different fields. */
function unionOf(exported: ExportedOptions, rows: ListField | undefined): Column[] {
  const variants = variantsOf(exported);
  const columns = variants.map((variant) => fieldColumnsOf(variant.options, rows));
  const names = new Set(columns.flatMap((own) => own.map(({ name }) => name)));
  const variantByRule = new Map(
    variants.flatMap(({ rules }, index) => rules.map((rule) => [rule, index] as const)),
  );
  return [...names].map((name): Column => {
    const byVariant = columns.map((own) => own.find((column) => column.name === name));
    const [kind = 'any', ...others] = new Set(byVariant.flatMap((column) => column?.kind ?? []));
    return {
      name,
      kind: others.length === 0 ? kind : 'any',
      // Two rules may give one name to values of different kinds.
      read: (result) => byVariant[variantByRule.get(result.rule) ?? 0]?.read(result),
      isOfRow: byVariant.some((column) => column?.isOfRow),
    };
  });
}

/** Returns the fields of a job's pages that can be written as rows, each path once. */
export function rowFieldsOf(exported: ExportedOptions): ListField[] {
  const lists = variantsOf(exported).flatMap(({ options }) => listFieldsOf(options));
  return [...new Map(lists.map((list) => [list.path, list])).values()];
}

/** Options of some pages of a job, and the rules under which they were scraped; undefined stands for none. */
interface Variant {
  readonly options: ScrapeOptions;
  readonly rules: readonly (number | undefined)[];
}

/** Returns the option sets of a job's pages: the job's own first, then those of its rules. */
function variantsOf({ options, crawl }: ExportedOptions): Variant[] {
  const rules = [...(crawl?.rules ?? []).entries()];
  const isOwn = ([, { selectors, formats }]: (typeof rules)[number]) =>
    selectors !== undefined || formats !== undefined;
  const { selectors: _selectors, formats: _formats, ...others } = options;
  const own = rules.filter(isOwn).map(([index, { selectors, formats }]) => ({
    options: { ...others, ...defined({ selectors, formats }) },
    rules: [index],
  }));
  const rest = rules.filter((rule) => !isOwn(rule));
  const common = { options, rules: [undefined, ...rest.map(([index]) => index)] };
  const needsCommon =
    rest.some(([, { keep = true }]) => keep) || !rules.some(([, { match }]) => match === '**');
  return needsCommon ? [common, ...own] : own;
}

const CRAWL_COLUMNS: readonly Column[] = [
  pageColumn('depth', 'integer', ({ depth }) => depth),
  pageColumn('foundOn', 'text', ({ foundOn }) => foundOn),
  pageColumn('rule', 'integer', ({ rule }) => rule),
];

const REQUEST_COLUMN = pageColumn('request', 'any', ({ request }) => request);

const COMPARED_COLUMNS: readonly Column[] = [
  pageColumn('change', 'text', ({ change }) => change),
  pageColumn('unlinked', 'boolean', ({ unlinked }) => unlinked),
];
