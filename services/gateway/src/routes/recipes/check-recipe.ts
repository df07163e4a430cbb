import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  type ErrorDetail,
  type GivenTest,
  isSecretHeader,
  LIMITS,
  type RecipeOptions,
} from '@gleaner/contracts';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import { checkOptionsAt, type ScrapeRules } from '../scrape/check-scrape-request.ts';

/** Checks the parts of a recipe that are given. Throws INVALID_REQUEST or INVALID_SELECTOR with every error by its path. */
export function checkRecipe(
  { options, tests = [] }: { readonly options?: RecipeOptions; readonly tests?: readonly GivenTest[] },
  rules: ScrapeRules,
): void {
  const details = [
    ...findSecretErrors(options),
    ...tests.flatMap((test, index) => testErrors(test, index, tests)),
    ...findLengthErrors(tests),
  ];
  if (details.length > 0) throw invalid(details);
  if (options) checkOptionsAt('options', options, rules);
}

/** Returns the error of a request with these errors. */
export function invalid(details: readonly ErrorDetail[], suggestion?: string): AppError {
  const about = { message: summarizeDetails(details), details };
  return new AppError('INVALID_REQUEST', suggestion === undefined ? about : { ...about, suggestion });
}

function findSecretErrors({ headers = {} }: RecipeOptions = {}): ErrorDetail[] {
  return Object.keys(headers)
    .filter(isSecretHeader)
    .map((header) => ({
      path: `options.headers.${header}`,
      message: 'may be a secret, which recipes do not keep: send it with the request, or use a profile',
    }));
}

function testErrors(
  { name, html, url, expect }: GivenTest,
  index: number,
  tests: readonly GivenTest[],
): ErrorDetail[] {
  const twin = tests.findIndex((other) => other.name === name);
  const bytes = html === undefined ? 0 : Buffer.byteLength(html);
  const length = lengthOf(expect);
  const long = Object.keys(expect).find((path) => path.length > MAX_PATH);
  const errors: (readonly [isWrong: boolean, field: string, message: string])[] = [
    [twin < index, 'name', `is the name of tests.${twin} already`],
    [bytes > LIMITS.maxTestPageBytes, 'html', tooLarge(bytes)],
    [url !== undefined && !isWebUrl(url), 'url', 'must be an absolute http or https URL'],
    [
      length > LIMITS.maxExpectedLength,
      'expect',
      `has ${length} characters; at most ${LIMITS.maxExpectedLength} are kept`,
    ],
    [long !== undefined, 'expect', `has a path of more than ${MAX_PATH} characters`],
  ];
  return errors.flatMap(([isWrong, field, message]) =>
    isWrong ? [{ path: `tests.${index}.${field}`, message }] : [],
  );
}

/** Finds tests that expect too much together. */
export function findLengthErrors(tests: readonly Pick<GivenTest, 'expect'>[]): ErrorDetail[] {
  const length = tests.reduce((sum, { expect }) => sum + lengthOf(expect), 0);
  const most = LIMITS.maxExpectedLengthInAll;
  if (length <= most) return [];
  return [
    { path: 'tests', message: `expect values of ${length} characters together; at most ${most} are kept` },
  ];
}

/** Characters that a value takes as JSON beside its texts and names. */
const FRAME = 4;

/** Returns about the number of characters that a JSON value takes. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + FRAME;
  if (typeof value !== 'object' || value === null) return FRAME;
  let length = FRAME;
  for (const [name, member] of Object.entries(value)) length += name.length + lengthOf(member);
  return length;
}

/** Longest path of an expected value. */
const MAX_PATH = 500;

/** Returns the message about a page that is too large for a test. */
export function tooLarge(bytes?: number): string {
  const size = bytes === undefined ? 'is too large' : `has ${bytes} bytes in UTF-8`;
  return `${size}; a page of a test has at most ${LIMITS.maxTestPageBytes}: leave out what its values do not need`;
}

function isWebUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

/** Returns whether two JSON texts mean the same, whatever the order of their fields. */
export function isSameJson(one: string, other: string): boolean {
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}
