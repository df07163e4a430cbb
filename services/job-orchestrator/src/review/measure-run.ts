import { type PageResult, parseInTurns, takingTurns } from '@gleaner/contracts';
import type { StoredJob, StoredPage, Stores } from '@gleaner/storage';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import { type Measuring, measureMissing, measurePage } from './measure-page.ts';
import { allFields, type WatchedField, type WatchedRules, watchedFieldsOf } from './watched-fields.ts';

/** Values of the fields of a run, over its pages of content, including pages without required fields. */
export interface MeasuredFields {
  /** All fields of the job, up to a number. */
  readonly fields: readonly WatchedField[];
  readonly stats: Measuring;
  readonly pages: number;
  /** Pages with values of as many fields as possible. */
  readonly evidenceUrls: readonly string[];
  /** Pages that failed because they lack required fields. */
  readonly lackingUrls: ReadonlySet<string>;
  /** Fields with a value, by the URL of pages that may be kept. */
  readonly shown: ReadonlyMap<string, readonly string[]>;
}

/** Fields of one schedule that are watched. */
const MAX_FIELDS = 200;
/** Pages of a run that are kept as evidence. */
export const MAX_EVIDENCE = 3;
/** Pages of one run that are measured: of a larger one, the first of them. */
const MAX_PAGES = 10_000;
const PAGES_AT_ONCE = 500;
const RESULTS_AT_ONCE = 50;

/** Measures the fields of a run whose pages have ended, a few results at a time. */
export async function measureRun(
  job: Pick<StoredJob, 'id' | 'optionsJson' | 'crawlJson'>,
  {
    stores: { pages, results },
  }: {
    readonly stores: {
      readonly pages: Pick<Stores['pages'], 'findInOrder'>;
      readonly results: Pick<Stores['results'], 'streamResults'>;
    };
  },
  signal: AbortSignal,
  keptUrls: readonly string[] = [],
): Promise<MeasuredFields> {
  const run = new RunMeasure(watchedFieldsOf(JSON.parse(job.optionsJson), crawlTermsOf(job)), keptUrls);
  if (run.fields.length === 0) return run;
  const takeTurns = takingTurns();
  let afterId = '';
  while (run.pages < MAX_PAGES) {
    const states = ['succeeded', 'failed'] as const;
    const chunk = await pages.findInOrder(job.id, { states, afterId, limit: PAGES_AT_ONCE });
    for (const page of chunk) run.addFailed(page);
    const content = chunk.filter(
      ({ state, verdict = 'content' }) => state === 'succeeded' && verdict === 'content',
    );
    for (let first = 0; first < content.length; first += RESULTS_AT_ONCE) {
      const some = new Map(content.slice(first, first + RESULTS_AT_ONCE).map((page) => [page.id, page]));
      for await (const { id, json } of results.streamResults([...some.values()])) {
        run.addResult(some.get(id), (await parseInTurns(json, takeTurns)) as PageResult);
        await takeTurns();
        signal.throwIfAborted();
      }
    }
    if (chunk.length < PAGES_AT_ONCE) break;
    afterId = chunk.at(-1)?.id ?? '';
  }
  return run;
}

/** Adds up the fields of a run page by page. */
class RunMeasure implements MeasuredFields {
  readonly fields: readonly WatchedField[];
  readonly stats: Measuring = new Map();
  readonly evidenceUrls: string[] = [];
  readonly lackingUrls = new Set<string>();
  readonly shown = new Map<string, readonly string[]>();
  pages = 0;
  readonly #rules: WatchedRules;
  /** Pages that were sent to be kept. */
  readonly #keptUrls: readonly string[];
  /** Fields with a value on the pages of evidence. */
  readonly #covered = new Set<string>();

  constructor(rules: WatchedRules, keptUrls: readonly string[]) {
    this.fields = allFields(rules).slice(0, MAX_FIELDS);
    this.#rules = rules;
    this.#keptUrls = keptUrls;
  }

  /** Adds a page of content that failed because it lacks required fields; leaves out other pages. */
  addFailed({ url, state, failure, crawled }: StoredPage): void {
    if (state !== 'failed' || failure?.code !== 'REQUIRED_FIELD_MISSING' || failure.verdict !== 'content')
      return;
    const missing = new Set((failure.details ?? []).map(({ path }) => path));
    measureMissing(this.#fieldsFor(crawled?.rule), missing, this.stats);
    this.lackingUrls.add(url);
    this.pages += 1;
  }

  /** Adds the result of a page of content. */
  addResult(page: StoredPage | undefined, { url, data, ...result }: PageResult): void {
    if (!page) return;
    const warnings = 'warnings' in result && result.warnings ? result.warnings : [];
    const filled = measurePage(
      this.#fieldsFor(page.crawled?.rule),
      { ...(data && { data }), warnings },
      this.stats,
    );
    this.pages += 1;
    const showsMore = [...filled].some((path) => !this.#covered.has(path));
    const isEvidence = showsMore && this.evidenceUrls.length < MAX_EVIDENCE;
    if (isEvidence || this.#keptUrls.includes(url)) this.shown.set(url, [...filled]);
    if (!isEvidence) return;
    this.evidenceUrls.push(url);
    for (const path of filled) this.#covered.add(path);
  }

  #fieldsFor(rule: number | undefined): readonly WatchedField[] {
    return this.#rules.get(rule) ?? this.#rules.get(undefined) ?? [];
  }
}
