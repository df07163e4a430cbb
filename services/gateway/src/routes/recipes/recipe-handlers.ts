import {
  AppError,
  createId,
  LIMITS,
  type Recipe,
  type RecipeSummary,
  type RecipeTest,
  type RouteName,
} from '@gleaner/contracts';
import {
  type ListedRecipe,
  type RecipeContents,
  type StoredRecipe,
  type Stores,
  versionIdOf,
} from '@gleaner/storage';
import { JsonWithHeaders, StreamedResponse } from '../../responses/responses.ts';
import type { Handlers } from '../handler.ts';
import type { ScrapeRules } from '../scrape/check-scrape-request.ts';
import { changeRecipe, contentsOf, nameTaken, requireLatest } from './change-recipe.ts';
import { checkRecipe, findLengthErrors, invalid, tooLarge } from './check-recipe.ts';
import { type RecordDeps, testOfResult } from './record-test.ts';
import { findRecipe } from './resolve/find-recipe.ts';
import { type RunDeps, runTests } from './run-tests.ts';
import { keepPages, packPage, type ReadTest, readTests, unpackPage } from './test-pages.ts';

/** Collaborators of the handlers. */
export type RecipeDeps = RecordDeps &
  RunDeps & { readonly recipes: Stores['recipes']; readonly rules: ScrapeRules };

type RecipeRoute = Extract<RouteName, `${string}Recipe${string}` | 'recordTest'>;

/** Handlers of the recipe routes. Pages are compared by scrapers. */
export const recipeHandlers: Handlers<RecipeRoute, RecipeDeps> = {
  async createRecipe({ caller, body: { name, match = [], options, tests = [] } }, deps) {
    checkRecipe({ options, tests }, deps.rules);
    const accountId = caller.account.id;
    if ((await deps.recipes.countRecipes(accountId)) >= LIMITS.maxRecipesPerAccount) throw tooManyRecipes();
    const read = await readTests(tests, accountId, deps);
    await keepPages(pagesOf(read), deps);
    const now = deps.clock.now();
    const recipe: StoredRecipe = {
      id: createId('rec'),
      accountId,
      version: 1,
      name,
      match,
      optionsJson: JSON.stringify(options),
      ...testsOf(read.map(({ test }) => test)),
      createdAt: now,
      updatedAt: now,
    };
    if ((await deps.recipes.insertRecipe(recipe)) === 'nameTaken') throw nameTaken();
    return new JsonWithHeaders(
      { success: true, recipe: describeRecipe(recipe) },
      { Location: `/v1/recipes/${recipe.id}` },
    );
  },

  async listRecipes({ caller }, { recipes }) {
    const found = await recipes.listRecipes(caller.account.id);
    return { success: true, recipes: found.map(summarize) };
  },

  async getRecipe({ caller, params: { id = '' } }, deps) {
    return { success: true, recipe: describeRecipe(await findRecipe(caller.account.id, id, deps)) };
  },

  async updateRecipe({ caller, params: { id = '' }, body }, deps) {
    checkRecipe(body, deps.rules);
    const { name, match, options, tests } = body;
    const accountId = caller.account.id;
    // A page is not read for a recipe that is not there.
    await requireLatest(accountId, id, deps);
    const read = tests && (await readTests(tests, accountId, deps));
    if (read) await keepPages(pagesOf(read), deps);
    const recipe = await changeRecipe(accountId, id, deps, (before) => ({
      ...contentsOf(before),
      ...(name !== undefined && { name }),
      ...(match && { match }),
      ...(options && { optionsJson: JSON.stringify(options) }),
      ...(read && testsOf(read.map(({ test }) => test))),
    }));
    return { success: true, recipe: describeRecipe(recipe) };
  },

  async deleteRecipe({ caller, params: { id = '' } }, { recipes }) {
    if (!(await recipes.removeRecipe(caller.account.id, id))) throw new AppError('RECIPE_NOT_FOUND');
    return undefined;
  },

  async testRecipe(call, deps) {
    const recipe = await findRecipe(call.caller.account.id, call.params.id ?? '', deps);
    const tests: RecipeTest[] = JSON.parse(recipe.testsJson);
    const run = await runTests(
      tests.map((test) => ({ test })),
      JSON.parse(recipe.optionsJson),
      call,
      deps,
    );
    const { passed, failed } = run;
    const tested = { passed, failed, at: deps.clock.now().toISOString() };
    await deps.recipes.noteTested(recipe, JSON.stringify(tested));
    return { success: true, recipe: versionIdOf(recipe), ...run };
  },

  async tryRecipe(call, deps) {
    const { options, tests } = call.body;
    checkRecipe({ options, tests }, deps.rules);
    const read = await readTests(tests, call.caller.account.id, deps);
    return { success: true, ...(await runTests(read, options, call, deps)) };
  },

  async recordTest(call, deps) {
    const { caller, params, body } = call;
    const accountId = caller.account.id;
    const id = params.id ?? '';
    await requireLatest(accountId, id, deps);
    const read = await testOfResult(body, caller, deps);
    await keepPages(pagesOf([read]), deps);
    const recipe = await changeRecipe(accountId, id, deps, (before) => ({
      ...contentsOf(before),
      ...testsOf(withTest(JSON.parse(before.testsJson), read.test)),
    }));
    const { results } = await runTests([read], JSON.parse(recipe.optionsJson), call, deps);
    const [result] = results;
    if (!result) throw new Error('A test has a result.');
    return { success: true, recipe: describeRecipe(recipe), result };
  },

  async addRecipePage({ caller, body: { html } }, deps) {
    const bytes = Buffer.byteLength(html);
    if (bytes > LIMITS.maxTestPageBytes) throw invalid([{ path: 'html', message: tooLarge(bytes) }]);
    const page = await packPage(caller.account.id, html);
    await keepPages([page], deps);
    const { sha256 } = page;
    return { success: true, page: { sha256, bytes } };
  },

  async getRecipePage({ caller, params: { sha256 = '' } }, { recipes }) {
    const page = await recipes.findPage(caller.account.id, sha256);
    const text = page && (await unpackPage(page.source));
    if (!text) throw new AppError('RECIPE_NOT_FOUND', { message: 'There is no page with this SHA-256.' });
    return new StreamedResponse(PAGE_HEADERS, async function* () {
      yield text;
    });
  },
};

/** Headers of a page, which may hold anything: no browser renders it. */
const PAGE_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cache-Control': 'private, no-store',
};

function pagesOf(read: readonly ReadTest[]) {
  return read.flatMap(({ page }) => page ?? []);
}

function testsOf(tests: readonly RecipeTest[]): Pick<RecipeContents, 'testsJson' | 'pages'> {
  return { testsJson: JSON.stringify(tests), pages: tests.map(({ page }) => page) };
}

/** Returns tests with one more, which replaces the one of its name. Throws INVALID_REQUEST for one too many. */
function withTest(tests: readonly RecipeTest[], added: RecipeTest): RecipeTest[] {
  const at = tests.findIndex(({ name }) => name === added.name);
  const all = at >= 0 ? tests.with(at, added) : [...tests, added];
  const details = findLengthErrors(all);
  if (details.length > 0) throw invalid(details);
  if (all.length <= LIMITS.maxTestsPerRecipe) return all;
  throw new AppError('INVALID_REQUEST', {
    message: `The recipe has ${LIMITS.maxTestsPerRecipe} tests, which is the most that it may have.`,
    suggestion: 'Give the name of one of them, which is replaced then.',
  });
}

function summarize(recipe: ListedRecipe): RecipeSummary {
  const { id, version, name, match, tests, testedJson, createdAt, updatedAt } = recipe;
  return {
    id,
    version,
    name,
    match,
    tests,
    ...(testedJson !== undefined && { tested: JSON.parse(testedJson) }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Returns a recipe as the API shows it. */
function describeRecipe({ optionsJson, testsJson, pages, ...recipe }: StoredRecipe): Recipe {
  const tests: RecipeTest[] = JSON.parse(testsJson);
  return { ...summarize({ ...recipe, tests: pages.length }), options: JSON.parse(optionsJson), tests };
}

function tooManyRecipes(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The account has ${LIMITS.maxRecipesPerAccount} recipes, which is the most that it may have.`,
    suggestion: 'Delete recipes that are no longer needed: DELETE /v1/recipes/:id.',
  });
}
