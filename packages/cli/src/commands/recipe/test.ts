import { GleanerError, type Recipe, type TestResult } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions, Opened } from '../../cli.ts';
import { EXIT_CODES, UsageError } from '../../exit-codes.ts';
import { type FileTest, readRecipes } from '../../input/recipe-files.ts';
import { type JunitCase, renderJunit } from '../../output/junit.ts';
import type { Column } from '../../output/render-table.ts';

interface TestFlags extends GlobalOptions {
  readonly junit?: string;
  readonly fetch?: boolean;
}

/** A result with the name of its recipe. */
interface Row extends TestResult {
  readonly recipe: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'result', isWhole: true, value: ({ passed }) => (passed ? 'green' : 'red') },
  { name: 'recipe', value: ({ recipe }) => recipe },
  { name: 'test', value: ({ name }) => name },
  { name: 'ms', isMinor: true, value: ({ duration }) => duration },
  { name: 'difference', value: describeResult },
];

/** `gleaner recipe test [paths…]`. */
export function defineTest(command: Command, cli: Cli): void {
  command
    .argument('[paths...]', 'files and folders of recipes, or ids; without any, all recipes that are stored')
    .option(
      '--fetch',
      'fetch the page of each test again from its url, with the options of the recipe, at their price',
    )
    .option('--junit <file>', 'write a report as CI systems read it, in the form of JUnit')
    .action(async (paths: string[], { junit, fetch: isFetched = false, ...flags }: TestFlags) => {
      const report = junit === undefined ? undefined : cli.file(junit);
      const opened = await cli.open(flags);
      const rows: Row[] = [];
      for (const { recipe, results } of await runAll(paths, isFetched, opened, cli))
        rows.push(...results.map((result) => ({ recipe, ...result })));
      await report?.write(renderJunit('gleaner recipe test', suitesOf(rows)));
      await opened.output.list(rows, COLUMNS, 'There are no tests.');
      const red = rows.filter(({ passed }) => !passed).length;
      if (red > 0) cli.exit = EXIT_CODES.failed.code;
      if (!flags.quiet) cli.terminal.warn(`${rows.length - red} green, ${red} red\n`);
    });
}

/** Results of the tests of a recipe. */
interface Run {
  readonly recipe: string;
  readonly results: readonly TestResult[];
}

async function runAll(
  paths: readonly string[],
  isFetched: boolean,
  opened: Opened,
  cli: Cli,
): Promise<Run[]> {
  const isId = (path: string) => /^rec_[0-9a-z]+(@\d+)?$/.test(path);
  const { gleaner, call } = opened;
  // All files are read before the first test runs.
  const files = await readRecipes(
    paths.filter((path) => !isId(path)),
    cli,
  );
  const ids = paths.length > 0 ? paths.filter(isId) : (await gleaner.recipes.list(call)).map(({ id }) => id);
  const runs: Run[] = [];
  for (const { recipe, tests } of files) {
    const given = tests.map(({ test, html }) => ({ test, html }));
    const draft = { name: recipe.name, options: recipe.options, tests: given };
    runs.push(await (isFetched ? runFetched(draft, opened) : runDraft(draft, opened)));
  }
  for (const id of ids) {
    const { name, options, tests } = await gleaner.recipes.get(id, call);
    const draft = {
      name,
      options,
      tests: tests.map(({ page: _page, bytes: _bytes, ...test }) => ({ test })),
    };
    if (isFetched) runs.push(await runFetched(draft, opened));
    else runs.push({ recipe: name, results: (await gleaner.recipes.test(id, call)).results });
  }
  return runs;
}

/** A recipe with the tests to run. */
interface Draft<Test> {
  readonly name: string;
  readonly options: Recipe['options'];
  readonly tests: readonly Test[];
}

type FetchedTest = Pick<FileTest, 'test'>;
type KeptTest = Pick<FileTest, 'test' | 'html'>;

/** Runs tests on pages that are fetched now; each is kept as a snapshot, as it was after rendering. */
async function runFetched({ name, options, tests }: Draft<FetchedTest>, opened: Opened): Promise<Run> {
  const results: TestResult[] = [];
  for (const { test } of tests) results.push(await runOnPage(test, options, opened));
  return { recipe: name, results };
}

async function runOnPage(
  { url, ...test }: FileTest['test'],
  options: Recipe['options'],
  { gleaner, call }: Opened,
): Promise<TestResult> {
  if (url === undefined)
    return failed(test.name, new UsageError(`"${test.name}" has no url.`, 'Give it one.'));
  try {
    const request = { ...options, url, snapshot: true };
    const { snapshotId } = await gleaner.call('scrape', { body: request }, call);
    if (snapshotId === undefined)
      return failed(test.name, new UsageError(`${url} is too large to keep.`, 'Test it without --fetch.'));
    const given = [{ ...test, snapshotId }];
    const [result] = (await gleaner.recipes.tryOut({ options, tests: given }, call)).results;
    return result ?? failed(test.name, new UsageError('The service ran no test.'));
  } catch (error) {
    if (isOfPage(error)) return failed(test.name, error);
    throw error;
  }
}

/** Most characters of pages in one request, unless one page has more. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Runs the tests of a file. Options that the service refuses are a red test of their own. */
async function runDraft({ name, options, tests }: Draft<KeptTest>, opened: Opened): Promise<Run> {
  const { gleaner, call } = opened;
  const results: TestResult[] = [];
  try {
    for (const batch of inBatches(tests)) {
      const given = batch.map(({ test, html }) => ({ ...test, html }));
      results.push(...(await gleaner.recipes.tryOut({ options, tests: given }, call)).results);
    }
  } catch (error) {
    if (!isOfPage(error)) throw error;
    results.push(failed('the recipe is valid', error));
  }
  return { recipe: name, results };
}

/** Divides tests into requests by the size of their pages; there is always one. */
function inBatches(tests: readonly KeptTest[]): KeptTest[][] {
  const batches: KeptTest[][] = [];
  let last: KeptTest[] = [];
  let characters = 0;
  for (const test of tests) {
    if (last.length > 0 && characters + test.html.length > MAX_CHARACTERS) {
      batches.push(last);
      [last, characters] = [[], 0];
    }
    last.push(test);
    characters += test.html.length;
  }
  return [...batches, last];
}

/** Returns whether an error is about a recipe or a page, and not about the service. */
function isOfPage(error: unknown): error is GleanerError {
  return error instanceof GleanerError && (error.status === 400 || error.source === 'target');
}

/** Returns the result of a test that could not run. */
function failed(name: string, error: GleanerError | UsageError): TestResult {
  const { message, suggestion = '' } = error;
  const code = error instanceof GleanerError ? error.code : 'INVALID_REQUEST';
  const shown = { code, message, suggestion, source: 'api' } as NonNullable<TestResult['error']>;
  return { name, passed: false, differences: [], error: shown, duration: 0 };
}

/** Describes in one line why a test is red. */
export function describeResult({ differences, error }: TestResult): string {
  if (error) return error.message;
  const [first, ...others] = differences;
  if (!first) return '';
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return `${describeDifference(first)}${more}`;
}

function describeDifference({ path, expected, actual }: TestResult['differences'][number]): string {
  return `${path} is ${actual ?? 'not there'}, not ${expected}`;
}

function suitesOf(rows: readonly Row[]) {
  return [...Map.groupBy(rows, ({ recipe }) => recipe)].map(([name, ofRecipe]) => ({
    name,
    cases: ofRecipe.map(toCase),
  }));
}

function toCase(row: Row): JunitCase {
  const { name, duration: durationMs, differences, error, passed } = row;
  if (passed) return { name, durationMs };
  const text = [...differences.map(describeDifference), ...(error ? [error.message, error.suggestion] : [])];
  const kind = error ? 'error' : 'failure';
  return { name, durationMs, problem: { kind, message: describeResult(row), text: text.join('\n') } };
}
