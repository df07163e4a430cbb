import type { Static } from 'typebox';
import { FailureSchema } from '../errors/failure.ts';
import { LIMITS } from '../limits.ts';
import { MapOf, Name, OneOf } from '../map-of.ts';
import { PAGE_KINDS } from '../scrape/verdict.ts';
import { Type } from '../type.ts';

/** SHA-256 of the text of a page. */
const PageHash = (options: object = {}) =>
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    'x-expected': 'the SHA-256 of a page in hexadecimal',
    ...options,
  });

/** Fields of a test beside the page. */
const TEST_PROPERTIES = {
  name: Name({ description: 'Unique among the tests of the recipe.', examples: ['a book'] }),
  kind: Type.Optional(
    OneOf(['html', 'xml', 'json', 'text'], { description: 'Kind of the document. Default html.' }),
  ),
  url: Type.Optional(
    Type.String({
      maxLength: LIMITS.maxUrlLength,
      description:
        'The address of the page, with http or https, to which its links are relative. It is not fetched.',
      examples: ['https://shop.example/books/dracula'],
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: '^[\\w:.-]+$',
      'x-expected': 'the name of an encoding such as "windows-1252"',
      description: 'Encoding in which the page was sent, which its links keep. Default utf-8.',
    }),
  ),
  expect: MapOf(Type.Unknown(), {
    maxProperties: LIMITS.maxExpectedValues,
    description:
      'The values that the page has, by their paths in `data`: `price.amount`, `books.0.title`, `books.length`; those of formats by `formats.markdown`. Each must be equal, whatever the order of the fields in it.',
    examples: [{ title: 'Dracula', 'price.amount': 8.49, 'tags.length': 3 }],
  }),
  verdict: Type.Optional(
    OneOf(PAGE_KINDS, {
      description: 'The kind of page that it must be taken for. Without it, any will do.',
    }),
  ),
};

const SOURCE_PROPERTIES = {
  html: Type.Optional(
    Type.String({
      minLength: 1,
      description: `The text of the page: at most ${LIMITS.maxTestPageBytes} bytes in UTF-8.`,
      examples: ['<h1>Dracula</h1>'],
    }),
  ),
  snapshotId: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A snapshot, whose page is copied: kind, URL and encoding are those of the snapshot.',
    }),
  ),
  page: Type.Optional(
    PageHash({ description: 'The SHA-256 of a page that the account has stored already.' }),
  ),
};

const GIVEN_TEST_PROPERTIES = { ...TEST_PROPERTIES, ...SOURCE_PROPERTIES };

/** A test as callers give it, with its page in one of three forms. */
const GivenTestSchema = Type.Unsafe<GivenTest>(
  Type.Object(GIVEN_TEST_PROPERTIES, {
    additionalProperties: false,
    oneOf: [
      { properties: { html: {} }, required: ['html'] },
      { properties: { snapshotId: {} }, required: ['snapshotId'] },
      { properties: { page: {} }, required: ['page'] },
    ],
  }),
);
const GivenTestObject = Type.Object(GIVEN_TEST_PROPERTIES);
export type GivenTest = Static<typeof GivenTestObject> &
  ({ html: unknown } | { snapshotId: unknown } | { page: unknown });

/** The tests of a recipe as callers give them. */
export const GivenTestsSchema = Type.Array(GivenTestSchema, {
  maxItems: LIMITS.maxTestsPerRecipe,
  description: 'Pages with the values that the options must find on them.',
});

/** A test as it is stored and shown; `page` names its page. */
export const RecipeTestSchema = Type.Object(
  {
    ...TEST_PROPERTIES,
    page: PageHash({
      description: 'SHA-256 of the text of the page, for `GET /v1/recipes/pages/{sha256}`.',
    }),
    bytes: Type.Integer({ minimum: 0, description: 'Size of the page in UTF-8.' }),
  },
  { additionalProperties: false },
);
export type RecipeTest = Static<typeof RecipeTestSchema>;

/** A page for tests that was stored. */
export const RecipePageSchema = Type.Object(
  { sha256: PageHash(), bytes: Type.Integer({ minimum: 1, description: 'Size in UTF-8.' }) },
  { additionalProperties: false },
);

/** Parts of a test that its page is compared with. */
export const ExpectedSchema = Type.Object(
  { expect: TEST_PROPERTIES.expect, verdict: TEST_PROPERTIES.verdict },
  { additionalProperties: false },
);
export type Expected = Static<typeof ExpectedSchema>;

/** A value that differs from the expected one. */
const DifferenceSchema = Type.Object(
  {
    path: Type.String({ description: 'Path of the value, or `verdict`.' }),
    expected: Type.String({ description: 'The expected value as JSON, its beginning if it is long.' }),
    actual: Type.Optional(
      Type.String({
        description: 'The value as JSON, its beginning if it is long; absent if the selector finds no value.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Difference = Static<typeof DifferenceSchema>;

/** Outcome of one test. */
export const TestResultSchema = Type.Object(
  {
    name: Type.String(),
    passed: Type.Boolean(),
    verdict: Type.Optional(OneOf(PAGE_KINDS, { description: 'The kind of page that it was taken for.' })),
    differences: Type.Array(DifferenceSchema),
    error: Type.Optional(FailureSchema),
    duration: Type.Integer({ minimum: 0, description: 'Milliseconds that the test took.' }),
  },
  { additionalProperties: false },
);
export type TestResult = Static<typeof TestResultSchema>;

/** The body of `POST /v1/recipes/{id}/tests/record`. */
export const RecordTestRequestSchema = Type.Object(
  {
    jobId: Type.String({
      maxLength: 100,
      description: 'A job with `snapshot`, whose pages are kept for a day.',
    }),
    index: Type.Integer({
      minimum: 0,
      maximum: LIMITS.maxCrawlLimit,
      description: 'The result, from 0, in the order of its URLs.',
    }),
    name: Type.Optional(Name({ description: 'Name of the test. Default the path of the URL.' })),
  },
  { additionalProperties: false },
);
export type RecordTestRequest = Static<typeof RecordTestRequestSchema>;
