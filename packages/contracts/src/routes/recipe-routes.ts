import { LIMITS } from '../limits.ts';
import {
  CreateRecipeRequestSchema,
  RecipePatchSchema,
  RecipeSchema,
  RecipeSummarySchema,
  TryRecipeRequestSchema,
} from '../recipes/recipe.ts';
import { RecipePageSchema, RecordTestRequestSchema, TestResultSchema } from '../recipes/recipe-test.ts';
import { Type } from '../type.ts';
import { succeeded } from './envelopes.ts';
import type { RouteDefinition } from './route.ts';

const TESTED = {
  passed: Type.Integer({ minimum: 0, description: 'Number of tests that passed.' }),
  failed: Type.Integer({ minimum: 0 }),
  results: Type.Array(TestResultSchema, { description: 'In the order of the tests.' }),
};

const LARGE = {
  maxBodyBytes: LIMITS.maxExtractBodyBytes,
  maxTextBytes: LIMITS.maxExtractBodyBytes,
} as const;

/** Routes of recipes: options for the pages of a site, with tests. */
export const RECIPE_ROUTES = {
  createRecipe: {
    method: 'post',
    path: '/v1/recipes',
    summary: 'Create a recipe: options for the pages of a site, with tests',
    description:
      'Tests are not run by it. Their pages come as `html`, from a snapshot, or by the SHA-256 of one that is stored: `POST /v1/recipes/pages` stores those that would make the body too large.',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'create',
    ...LARGE,
    body: CreateRecipeRequestSchema,
    bodyExample: {
      name: 'Books',
      match: ['https://shop.example/books/*'],
      options: { selectors: { title: 'h1', price: { selector: '.price', type: 'price' } } },
      tests: [
        {
          name: 'a book',
          html: '<h1>Dracula</h1> <p class="price">£8.49</p>',
          expect: { title: 'Dracula', 'price.amount': 8.49 },
        },
      ],
    },
    status: 201,
    response: succeeded({ recipe: RecipeSchema }),
    responseHeaders: ['Location'],
    errors: ['INVALID_SELECTOR', 'SNAPSHOT_NOT_FOUND', 'NOT_CONFIGURED'],
  },
  listRecipes: {
    method: 'get',
    path: '/v1/recipes',
    summary: 'List the recipes of the account by name',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ recipes: Type.Array(RecipeSummarySchema) }),
    errors: [],
  },
  tryRecipe: {
    method: 'post',
    path: '/v1/recipes/test',
    summary: 'Run tests of a recipe that is not stored',
    description: 'Stores nothing, fetches nothing and costs no credits.',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'extract',
    ...LARGE,
    body: TryRecipeRequestSchema,
    bodyExample: {
      options: { selectors: { title: 'h1' } },
      tests: [{ name: 'a book', html: '<h1>Dracula</h1>', expect: { title: 'Dracula' } }],
    },
    status: 200,
    response: succeeded(TESTED),
    errors: ['INVALID_SELECTOR', 'SNAPSHOT_NOT_FOUND', 'NOT_CONFIGURED'],
  },
  addRecipePage: {
    method: 'post',
    path: '/v1/recipes/pages',
    summary: 'Store a page for tests of recipes',
    description: 'Tests name it by its SHA-256. A page that no test has named for a day is deleted.',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'extract',
    ...LARGE,
    body: Type.Object(
      {
        html: Type.String({
          minLength: 1,
          description: `The text of the page: at most ${LIMITS.maxTestPageBytes} bytes in UTF-8.`,
        }),
      },
      { additionalProperties: false },
    ),
    bodyExample: { html: '<h1>Dracula</h1>' },
    status: 201,
    response: succeeded({ page: RecipePageSchema }),
    errors: [],
  },
  getRecipePage: {
    method: 'get',
    path: '/v1/recipes/pages/{sha256}',
    summary: 'Get a page of tests of recipes, as text',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'read',
    status: 200,
    mediaTypes: { 'text/plain': 'The text of the page in UTF-8, which no browser renders.' },
    errors: ['RECIPE_NOT_FOUND'],
  },
  getRecipe: {
    method: 'get',
    path: '/v1/recipes/{id}',
    summary: 'Get a recipe in its latest version, or in the version of an id such as rec_…@3',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ recipe: RecipeSchema }),
    errors: ['RECIPE_NOT_FOUND'],
  },
  updateRecipe: {
    method: 'patch',
    path: '/v1/recipes/{id}',
    summary: 'Make a new version of a recipe',
    description: `What is given replaces what was, the rest stays. Without a difference, no version is made. Versions never change; the last ${LIMITS.maxRecipeVersions} are kept.`,
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'create',
    ...LARGE,
    body: RecipePatchSchema,
    bodyExample: { options: { selectors: { title: 'h1.title' } } },
    status: 200,
    response: succeeded({ recipe: RecipeSchema }),
    errors: ['RECIPE_NOT_FOUND', 'INVALID_SELECTOR', 'SNAPSHOT_NOT_FOUND', 'NOT_CONFIGURED'],
  },
  testRecipe: {
    method: 'post',
    path: '/v1/recipes/{id}/test',
    summary: 'Run the tests of a recipe',
    description:
      'Nothing is fetched, and it costs no credits. A red test does not fail the call: see `failed`.',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'extract',
    status: 200,
    response: succeeded({
      recipe: Type.String({ examples: ['rec_01jd8x0000000000000000000@3'] }),
      ...TESTED,
    }),
    errors: ['RECIPE_NOT_FOUND'],
  },
  recordTest: {
    method: 'post',
    path: '/v1/recipes/{id}/tests/record',
    summary: 'Make a test of a result of a job that you believe',
    description:
      'The page that the job kept becomes the page of the test, and the data of the result what it expects. A test of the same name is replaced. The test is run once, so that `result` shows whether the recipe finds the same.',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'create',
    body: RecordTestRequestSchema,
    bodyExample: { jobId: 'job_01jd8x0000000000000000000', index: 0 },
    status: 200,
    response: succeeded({ recipe: RecipeSchema, result: TestResultSchema }),
    errors: ['RECIPE_NOT_FOUND', 'JOB_NOT_FOUND', 'SNAPSHOT_NOT_FOUND'],
  },
  deleteRecipe: {
    method: 'delete',
    path: '/v1/recipes/{id}',
    summary: 'Delete a recipe with its versions and tests',
    description: 'Jobs and schedules that use it keep its options.',
    tag: 'Recipes',
    scope: 'scrape',
    rateLimit: 'create',
    status: 204,
    errors: ['RECIPE_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
