import { AppError, LIMITS, type ScheduleDiff } from '@gleaner/contracts';
import type { ThreadPool } from '@gleaner/extraction';
import { urlKey } from '@gleaner/frontier';
import type { StoredJob, StoredPage } from '@gleaner/storage';
import { crawlOptionsOf } from '../jobs/crawl/crawl-options-of.ts';
import type { JobStreams } from '../jobs/job-streams.ts';
import type { DiffOutcome, PageToDiff } from './diff-page.ts';

/** Threads that compare pages. */
export type DiffPool = Pick<ThreadPool<PageToDiff, DiffOutcome>, 'run'>;

/** Collaborators of comparing runs. */
export interface CompareDeps {
  readonly jobStreams: Pick<JobStreams, 'pages' | 'results'>;
  readonly diffPool: DiffPool;
}

/** Two finished runs of a schedule. */
export interface TwoRuns {
  readonly from: StoredJob;
  readonly to: StoredJob;
}

/** Time and characters of the texts of all pages. */
const MAX_MS = 30_000;
const MAX_CHARACTERS = 1024 * 1024;
const STATES = ['succeeded'] as const;

/**
 * Compares the Markdown of two runs, page by page, in a thread; pages beyond the bounds of number, time and size are only counted. Throws
 * NOTHING_TO_COMPARE if no page has Markdown in both runs.
 */
export async function compareMarkdown(
  { from, to }: TwoRuns,
  url: string | undefined,
  deps: CompareDeps,
  signal: AbortSignal,
): Promise<ScheduleDiff> {
  const pages = await pairPages({ from, to }, url, deps);
  const diff = { pages: [] as ScheduleDiff['pages'], unchanged: 0, notCompared: 0, omitted: 0 };
  const lacking = { from: false, to: false };
  const endMs = performance.now() + MAX_MS;
  let characters = 0;
  for (const [index, [before, after]] of pages.entries()) {
    signal.throwIfAborted();
    const leftMs = endMs - performance.now();
    if (leftMs <= 0 || characters >= MAX_CHARACTERS || index >= LIMITS.maxPagesPerDiff) {
      diff.omitted = pages.length - index;
      break;
    }
    const task = before && (await readTask({ from, to }, [before, after], deps));
    const options = { timeoutMs: leftMs, signal, queue: to.accountId };
    const outcome = task && (await runTask(task, options, deps.diffPool));
    if (outcome?.kind === 'differs') {
      diff.pages.push(outcome.diff);
      characters += outcome.diff.text?.length ?? 0;
    } else if (outcome?.kind === 'equal') diff.unchanged += 1;
    else {
      diff.notCompared += 1;
      lacking.from ||= outcome?.from ?? false;
      lacking.to ||= outcome?.to ?? false;
    }
  }
  const isNothing = diff.pages.length + diff.unchanged + diff.omitted === 0;
  if (isNothing) throw nothingToCompare(lacking.to ? to : from, url, lacking);
  return { from: describeRun(from), to: describeRun(to), ...diff };
}

function describeRun({ id, completedAt }: StoredJob): ScheduleDiff['from'] {
  return { jobId: id, at: completedAt?.toISOString() ?? null };
}

type Pair = readonly [before: StoredPage | undefined, after: StoredPage];

/** Returns the pages of the later run, each beside its counterpart in the earlier one; one page more than will be compared. */
async function pairPages(
  { from, to }: TwoRuns,
  url: string | undefined,
  { jobStreams: { pages } }: CompareDeps,
): Promise<Pair[]> {
  const crawl = crawlOptionsOf(to);
  const limit = LIMITS.maxPagesPerDiff + 1;
  if (crawl) {
    const parsed = URL.parse(url ?? '');
    const found =
      url === undefined
        ? await pages.findInOrder(to.id, { states: STATES, limit })
        : await pages.findByKeys(to.id, parsed ? [urlKey(parsed, crawl.ignoreQuery)] : []);
    const later = found.filter(({ state }) => state === 'succeeded');
    const known = await pages.findByKeys(
      from.id,
      later.map((page) => nameOf(page)),
    );
    return pairsOf(known, later);
  }
  const [known, later] = await Promise.all(
    [from, to].map(({ id }) => pages.findInOrder(id, { states: STATES, limit })),
  );
  const wanted = url === undefined ? later : later?.filter((page) => isSame(page.url, url));
  return pairsOf(known ?? [], wanted ?? []);
}

function pairsOf(known: readonly StoredPage[], later: readonly StoredPage[]): Pair[] {
  const earlier = new Map(
    known.filter(({ state }) => state === 'succeeded').map((page) => [nameOf(page), page]),
  );
  return later.map((page) => [earlier.get(nameOf(page)), page]);
}

function nameOf({ crawled, url }: StoredPage): string {
  return crawled?.key ?? url;
}

function isSame(one: string, other: string): boolean {
  return one === other || URL.parse(one)?.href === URL.parse(other)?.href;
}

/** Reads the results of a page in both runs; undefined if one is no longer there. */
async function readTask(
  { from, to }: TwoRuns,
  [before, after]: readonly [StoredPage, StoredPage],
  { jobStreams: { results } }: CompareDeps,
): Promise<PageToDiff | undefined> {
  const texts = new Map<string, string>();
  for await (const { id, json } of results.streamResults([before, after])) texts.set(id, json);
  const [earlier, later] = [texts.get(before.id), texts.get(after.id)];
  if (earlier === undefined || later === undefined) return undefined;
  return { url: after.url, from: earlier, to: later, fromRun: nameRun(from), toRun: nameRun(to) };
}

function nameRun({ id, completedAt }: StoredJob): string {
  return completedAt ? `${id} ${completedAt.toISOString()}` : id;
}

/** Compares a page in a thread; one that takes too long, or too much memory, has a difference without a text. */
async function runTask(
  task: PageToDiff,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly queue: string },
  pool: DiffPool,
): Promise<DiffOutcome> {
  try {
    return await pool.run(task, options);
  } catch (error) {
    const isTooLarge =
      error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'UNSUPPORTED_CONTENT');
    if (!isTooLarge) throw error;
    return { kind: 'differs', diff: { url: task.url, added: 0, removed: 0, text: null } };
  }
}

function nothingToCompare(
  { id }: StoredJob,
  url: string | undefined,
  lacking: { readonly from: boolean; readonly to: boolean },
): AppError {
  const message =
    lacking.from || lacking.to
      ? `The run ${id} has kept no Markdown${url === undefined ? '' : ' of this page'}.`
      : `The runs have no page in common${url === undefined ? '' : ' with this URL'} that succeeded in both.`;
  return new AppError('NOTHING_TO_COMPARE', { message });
}
