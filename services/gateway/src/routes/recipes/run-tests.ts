import {
  AppError,
  engineFor,
  type PackedPage,
  type RecipeOptions,
  type RecipeTest,
  type SnapshotCommand,
  type TestResult,
  toFailure,
} from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import type { StoredRecipePage, Stores } from '@gleaner/storage';
import { type Applicant, type SharedPlaces, takePlace } from '../../admission/take-place.ts';
import { askForContent } from '../content/ask-for-content.ts';
import type { ReadTest } from './test-pages.ts';

/** Collaborators of running tests. */
export interface RunDeps extends CommandDeps {
  readonly extractPlaces: SharedPlaces;
  readonly recipes: Pick<Stores['recipes'], 'findPage'>;
}

/** Outcomes of tests, in their order. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly results: TestResult[];
}

/** Tests of a call that scrapers work on at once. */
const AT_ONCE = 2;
/** Time after which no further test is begun. */
const MAX_RUN_MS = 120_000;

const TOO_MANY = {
  message: 'Other pages of the account are being read.',
  suggestion: 'Wait for their responses first, or try again in a few seconds.',
};
/** Base of a page without a URL. */
const NO_URL = 'about:blank';

/** Has scrapers compare the pages of tests with what they expect. Throws SERVICE_UNAVAILABLE without a scraper. */
export async function runTests(
  tests: readonly ReadTest[],
  options: RecipeOptions,
  call: Applicant,
  deps: RunDeps,
): Promise<TestRun> {
  using _place = await takePlace(call, deps.extractPlaces, TOO_MANY);
  const endsAtMs = performance.now() + MAX_RUN_MS;
  const results: TestResult[] = [];
  const waiting = tests.entries();
  const work = async () => {
    for (const [index, test] of waiting) {
      const isLate = performance.now() > endsAtMs;
      results[index] = isLate ? outOfTime(test.test) : await runTest(test, options, call, deps);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed, results };
}

async function runTest(
  { test, page }: ReadTest,
  options: RecipeOptions,
  { caller, signal }: Applicant,
  deps: RunDeps,
): Promise<TestResult> {
  const startedAtMs = performance.now();
  const accountId = caller.account.id;
  const stored = page ?? (await deps.recipes.findPage(accountId, test.page));
  if (!stored)
    throw new AppError('RECIPE_NOT_FOUND', { message: `The page of "${test.name}" is not stored.` });
  const { expect, verdict, name } = test;
  const task: SnapshotCommand['task'] = {
    type: 'test',
    engine: engineFor(options),
    request: readingOptionsIn(options),
    expected: verdict === undefined ? { expect } : { expect, verdict },
  };
  const compared = await compare({ accountId, page: packed(test, stored), task }, signal, deps);
  return { name, ...compared, duration: Math.round(performance.now() - startedAtMs) };
}

/** Returns what a scraper found; an error about the page is a failure of its test. */
async function compare(
  command: SnapshotCommand,
  signal: AbortSignal,
  deps: RunDeps,
): Promise<Omit<TestResult, 'name' | 'duration'>> {
  try {
    return JSON.parse((await askForContent(command, signal, deps)).toString());
  } catch (error) {
    if (!(error instanceof AppError) || error.source !== 'target' || signal.aborted) throw error;
    return { passed: false, differences: [], error: toFailure(error) };
  }
}

function packed(
  { kind = 'html', url = NO_URL, encoding }: RecipeTest,
  { source }: StoredRecipePage,
): PackedPage {
  const page = { kind, baseUrl: url, source: source.toString('base64') };
  return encoding === undefined ? page : { ...page, encoding };
}

/** Returns the options about reading a page alone: without fields of captured responses, which it does not have. */
function readingOptionsIn({
  selectors,
  formats,
  locale,
  overlays = 'keep',
}: RecipeOptions): Extract<SnapshotCommand['task'], { type: 'test' }>['request'] {
  const fields = Object.entries(selectors ?? {}).filter(
    ([, selector]) => typeof selector === 'string' || selector.from === undefined,
  );
  return {
    ...(selectors && { selectors: Object.fromEntries(fields) }),
    ...(formats && { formats }),
    ...(locale !== undefined && { locale }),
    overlays: overlays === 'keep' ? 'keep' : 'hide',
  };
}

function outOfTime({ name }: RecipeTest): TestResult {
  const message = `The tests took longer than ${MAX_RUN_MS / 1000} seconds, and this one was not begun.`;
  const error = toFailure(new AppError('TIMEOUT', { message }));
  return { name, passed: false, differences: [], error, duration: 0 };
}
