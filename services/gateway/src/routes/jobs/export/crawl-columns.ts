import type { CrawlOptions, PageResult, ScrapeOptions } from '@gleaner/contracts';
import { type Column, fieldColumnsOf, type ListField, listFieldsOf, pageColumnsOf } from './csv-columns.ts';

/** The options of a job that decide what its results contain. */
export interface ExportedOptions {
  readonly options: ScrapeOptions;
  /** Only of crawls. */
  readonly crawl?: CrawlOptions | undefined;
}

/** Returns the columns of a job's results, all of which are known before the results are read. */
export function columnsOf(exported: ExportedOptions, rows: ListField | undefined): Column[] {
  const { options, crawl } = exported;
  if (!crawl) return [...pageColumnsOf(options), ...fieldColumnsOf(options, rows)];
  const variants = variantsOf(exported);
  const columns = variants.map((variant) => fieldColumnsOf(variant.options, rows));
  const names = new Set(columns.flatMap((own) => own.map(({ name }) => name)));
  const variantByRule = new Map(
    variants.flatMap(({ rules }, index) => rules.map((rule) => [rule, index] as const)),
  );
  const unions = [...names].map((name): Column => {
    const byVariant = columns.map((own) => own.find((column) => column.name === name));
    return {
      name,
      // Two rules may give one name to values of different kinds.
      read: (result) => byVariant[variantByRule.get(result.rule) ?? 0]?.read(result),
      isOfRow: byVariant.some((column) => column?.isOfRow),
    };
  });
  const isCompared = crawl.since !== undefined || crawl.changes === true;
  const compared = isCompared ? COMPARED_COLUMNS : [];
  return [...pageColumnsOf(options), ...CRAWL_COLUMNS, ...compared, ...unions];
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

/** Returns the options that pages of a job have: those of the job first, then those of rules in their place. */
function variantsOf({ options, crawl }: ExportedOptions): Variant[] {
  const rules = [...(crawl?.rules ?? []).entries()];
  const isOwn = ([, { selectors, formats }]: (typeof rules)[number]) =>
    selectors !== undefined || formats !== undefined;
  const { selectors: _selectors, formats: _formats, ...others } = options;
  const own = rules.filter(isOwn).map(([index, { selectors, formats }]) => ({
    options: { ...others, ...(selectors && { selectors }), ...(formats && { formats }) },
    rules: [index],
  }));
  const rest = rules.filter((rule) => !isOwn(rule));
  const common = { options, rules: [undefined, ...rest.map(([index]) => index)] };
  const needsCommon =
    rest.some(([, { keep = true }]) => keep) || !rules.some(([, { match }]) => match === '**');
  return needsCommon ? [common, ...own] : own;
}

const CRAWL_COLUMNS: readonly Column[] = [
  pageColumn('depth', ({ depth }) => depth),
  pageColumn('foundOn', ({ foundOn }) => foundOn),
  pageColumn('rule', ({ rule }) => rule),
];

const COMPARED_COLUMNS: readonly Column[] = [
  pageColumn('change', ({ change }) => change),
  pageColumn('unlinked', ({ unlinked }) => unlinked),
];

function pageColumn(name: string, read: (result: PageResult) => unknown): Column {
  return { name, read, isOfRow: false };
}
