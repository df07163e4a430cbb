import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Name, Timestamp } from '../map-of.ts';
import { SCRAPE_OPTION_ROWS, type SCRAPE_OPTIONS } from '../scrape/scrape-options.ts';
import { Type } from '../type.ts';
import { RecipeTestSchema, GivenTestsSchema as tests } from './recipe-test.ts';

type Rows = typeof SCRAPE_OPTIONS;

/** Schemas of the options of recipes: all but those of a single request. */
export const RECIPE_OPTION_PROPERTIES = Object.fromEntries(
  SCRAPE_OPTION_ROWS.filter(([, row]) => !row.isOfRequest).map(([name, { schema }]) => [name, schema]),
) as {
  readonly [Option in keyof Rows as Rows[Option] extends { readonly isOfRequest: true }
    ? never
    : Option]: Rows[Option]['schema'];
};

const OptionsSchema = Type.Object(RECIPE_OPTION_PROPERTIES, {
  additionalProperties: false,
  description:
    'Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions.',
});
export type RecipeOptions = Static<typeof OptionsSchema>;

const name = Name({ description: 'Unique among the recipes of the account.', examples: ['Books'] });
const match = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: LIMITS.maxUrlPatternLength,
    pattern: '^https?://',
    'x-expected': 'a glob of whole URLs such as "https://shop.example/books/*"',
  }),
  {
    maxItems: LIMITS.maxRecipePatterns,
    uniqueItems: true,
    description:
      'Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone.',
    examples: [['https://shop.example/books/*']],
  },
);

/** The body of `POST /v1/recipes`. */
export const CreateRecipeRequestSchema = Type.Object(
  { name, match: Type.Optional(match), options: OptionsSchema, tests: Type.Optional(tests) },
  { additionalProperties: false },
);

/** The body of `PATCH /v1/recipes/{id}`: given fields replace the stored ones, each as a whole. */
export const RecipePatchSchema = Type.Object(
  {
    name: Type.Optional(name),
    match: Type.Optional(match),
    options: Type.Optional(OptionsSchema),
    tests: Type.Optional(tests),
  },
  { additionalProperties: false, minProperties: 1 },
);

const SHOWN_PROPERTIES = {
  id: Type.String({ examples: ['rec_01jd8x0000000000000000000'] }),
  version: Type.Integer({ minimum: 1, description: 'Counts the changes; `rec_…@3` names the third.' }),
  name,
  match,
  createdAt: Timestamp(),
  updatedAt: Timestamp({ description: 'Time at which the version was made.' }),
};

const TestedSchema = Type.Object(
  {
    passed: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    at: Timestamp(),
  },
  {
    additionalProperties: false,
    description: 'Outcome of the last run of all its tests; absent if none has run since it was changed.',
  },
);

/** A recipe in one of its versions. */
export const RecipeSchema = Type.Object(
  {
    ...SHOWN_PROPERTIES,
    options: OptionsSchema,
    tests: Type.Array(RecipeTestSchema),
    tested: Type.Optional(TestedSchema),
  },
  { additionalProperties: false },
);
export type Recipe = Static<typeof RecipeSchema>;

/** A recipe in a list, in its latest version. */
export const RecipeSummarySchema = Type.Object(
  {
    ...SHOWN_PROPERTIES,
    tests: Type.Integer({ minimum: 0, description: 'Number of tests.' }),
    tested: Type.Optional(TestedSchema),
  },
  { additionalProperties: false },
);
export type RecipeSummary = Static<typeof RecipeSummarySchema>;

/** The body of `POST /v1/recipes/test`. */
export const TryRecipeRequestSchema = Type.Object(
  { options: OptionsSchema, tests },
  { additionalProperties: false },
);

/** Outcome of a repair of a schedule for its recipe. */
export const RepairedRecipeSchema = Type.Object(
  {
    version: Type.String({
      description: 'The version of the recipe: with the repair, or as it was.',
      examples: ['rec_01jd8x0000000000000000000@4'],
    }),
    isNew: Type.Boolean({
      description: 'True if the repair has become a version; false if tests are red with it.',
    }),
    red: Type.Array(Type.String(), { description: 'Names of the tests that are red with the repair.' }),
  },
  {
    additionalProperties: false,
    description: 'Present if the fallen selectors are those of the recipe of the schedule.',
  },
);
export type RepairedRecipe = Static<typeof RepairedRecipeSchema>;
