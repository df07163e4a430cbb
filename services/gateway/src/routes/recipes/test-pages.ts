import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import {
  AppError,
  defined,
  type GivenTest,
  LIMITS,
  type PackedPage,
  type RecipeTest,
} from '@gleaner/contracts';
import type { StoredRecipePage, Stores } from '@gleaner/storage';
import { invalid, tooLarge } from './check-recipe.ts';

/** Stores that the pages of tests come from and go to. */
export interface TestPageDeps {
  readonly clock: Stores['clock'];
  readonly recipes: Pick<Stores['recipes'], 'keepPage' | 'touchPages' | 'findPage'>;
  readonly snapshots: Pick<Stores['snapshots'], 'findSnapshot'>;
}

/** A test with its page, unless that is stored. */
export interface ReadTest {
  readonly test: RecipeTest;
  readonly page?: StoredRecipePage;
}

const QUALITY = 5;
const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Reads the pages of tests, one at a time. Throws INVALID_REQUEST and SNAPSHOT_NOT_FOUND. */
export async function readTests(
  given: readonly GivenTest[],
  accountId: string,
  deps: TestPageDeps,
): Promise<ReadTest[]> {
  const hashes = given.flatMap(({ page }) => page ?? []);
  const known = await deps.recipes.touchPages(accountId, hashes, deps.clock.now());
  const unknown = given.flatMap(({ page }, index) =>
    page === undefined || known.has(page) ? [] : [{ path: `tests.${index}.page`, message: NOT_STORED }],
  );
  if (unknown.length > 0) throw invalid(unknown, 'Store the pages first: POST /v1/recipes/pages.');
  const tests: ReadTest[] = [];
  for (const [index, { html, snapshotId, page: hash, ...test }] of given.entries()) {
    if (hash !== undefined) tests.push({ test: { ...test, page: hash, bytes: known.get(hash) ?? 0 } });
    else if (html !== undefined) tests.push(withPage(test, await packPage(accountId, html)));
    else {
      const snapshot = await findSnapshot(snapshotId ?? '', accountId, deps);
      tests.push(await withSnapshot(test, snapshot, { accountId, path: `tests.${index}.snapshotId` }));
    }
  }
  return tests;
}

const NOT_STORED = 'is not a page that is stored';

/** Returns a kept page of the account. Throws SNAPSHOT_NOT_FOUND. */
export async function findSnapshot(
  id: string,
  accountId: string,
  { clock, snapshots }: Pick<TestPageDeps, 'clock' | 'snapshots'>,
): Promise<PackedPage> {
  const page = await snapshots.findSnapshot(id, accountId, clock.now());
  if (page) return page;
  throw new AppError('SNAPSHOT_NOT_FOUND', { message: `There is no snapshot "${id.slice(0, 100)}".` });
}

/** Returns a test of a kept page. Throws INVALID_REQUEST for one that is too large. */
export async function withSnapshot(
  test: Omit<RecipeTest, 'page' | 'bytes'>,
  { kind, baseUrl, encoding, source }: PackedPage,
  { accountId, path }: { readonly accountId: string; readonly path: string },
): Promise<ReadTest> {
  const bytes = await unpackPage(Buffer.from(source, 'base64'));
  if (!bytes) throw invalid([{ path, message: tooLarge() }]);
  const page = await packPage(accountId, bytes);
  return withPage({ ...test, kind, url: baseUrl, ...defined({ encoding }) }, page);
}

/** Decompresses a page; undefined for one too large for a test. */
export async function unpackPage(source: Buffer): Promise<Buffer | undefined> {
  try {
    return await decompress(source, { maxOutputLength: LIMITS.maxTestPageBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

/** Compresses the text of a page, so that it can be stored under its SHA-256. */
export async function packPage(accountId: string, text: string | Buffer): Promise<StoredRecipePage> {
  const content = Buffer.from(text);
  const source = await compress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { accountId, sha256, textBytes: content.length, source, bytes: source.length };
}

function withPage(test: Omit<RecipeTest, 'page' | 'bytes'>, page: StoredRecipePage): ReadTest {
  return { test: { ...test, page: page.sha256, bytes: page.textBytes }, page };
}

/** Stores the pages of tests. Throws INVALID_REQUEST where they would take too much. */
export async function keepPages(
  pages: readonly StoredRecipePage[],
  { clock, recipes }: Pick<TestPageDeps, 'clock' | 'recipes'>,
): Promise<void> {
  for (const page of pages) {
    if (await recipes.keepPage(page, LIMITS.maxRecipePageBytes, clock.now())) continue;
    throw new AppError('INVALID_REQUEST', {
      message: `The pages of all tests of the account would take more than ${LIMITS.maxRecipePageBytes} bytes, compressed.`,
      suggestion:
        'Delete recipes that are no longer needed; pages that no test names are deleted within two days.',
    });
  }
}
