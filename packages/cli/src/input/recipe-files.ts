import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { BodyOf, Recipe } from '@gleaner/client';
import type { Cli } from '../cli.ts';
import { CommandError, UsageError } from '../exit-codes.ts';
import { fileNameOf, saveFile } from '../output/save-pages.ts';
import { readJsonObject } from './read-text.ts';

type CreateBody = BodyOf<'createRecipe'>;
type GivenTest = NonNullable<CreateBody['tests']>[number];

/** A test of a file, with the text of its page. */
export interface FileTest {
  /** The test as the service takes it, without its page. */
  readonly test: Omit<GivenTest, 'html' | 'page' | 'snapshotId'>;
  /** Path of the page, relative to the file of the recipe. */
  readonly file: string;
  readonly html: string;
  readonly sha256: string;
}

/** A recipe as a file in a folder, with the pages of its tests beside it. */
export interface RecipeFile {
  readonly path: string;
  readonly recipe: Omit<CreateBody, 'tests'>;
  readonly tests: readonly FileTest[];
}

const EXAMPLE =
  'Write a recipe: {"name": "Books", "match": ["https://shop.example/books/*"], "options": {"selectors": {"title": "h1"}}, "tests": [{"name": "a book", "file": "books/dracula.html", "expect": {"title": "Dracula"}}]}';
const MAX_PAGE_BYTES = 1024 * 1024;

/** Reads recipes: files, and the files of folders whose names end in `.json`. */
export async function readRecipes(
  paths: readonly string[],
  cli: Pick<Cli, 'terminal'>,
): Promise<RecipeFile[]> {
  const files = paths.flatMap((path) => (isFolder(path) ? jsonFilesIn(path) : [path]));
  const recipes: RecipeFile[] = [];
  for (const path of files) recipes.push(await readRecipe(path, cli));
  for (const [index, { path, recipe }] of recipes.entries()) {
    const twin = recipes.slice(0, index).find((other) => other.recipe.name === recipe.name);
    if (twin)
      throw new UsageError(`${path} and ${twin.path} have the same name, ${recipe.name}.`, 'Rename one.');
  }
  return recipes;
}

/** Returns the files of a folder that may be recipes, by name. */
function jsonFilesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => join(folder, name));
}

/** Returns whether a path is that of a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function readRecipe(path: string, cli: Pick<Cli, 'terminal'>): Promise<RecipeFile> {
  const { tests = [], ...recipe } = await readJsonObject(path, EXAMPLE, cli);
  const { name, options } = recipe;
  if (typeof name !== 'string' || typeof options !== 'object' || !Array.isArray(tests))
    throw new UsageError(`${path} is not a recipe.`, EXAMPLE);
  const root = realpathSync(dirname(path));
  return {
    path,
    recipe: recipe as unknown as RecipeFile['recipe'],
    tests: tests.map((test, index) => readTest(test, { path, root, index })),
  };
}

function readTest(
  given: unknown,
  { path, root, index }: { readonly path: string; readonly root: string; readonly index: number },
): FileTest {
  const { file, ...test } = Object(given) as { file?: unknown };
  if (typeof file !== 'string')
    throw new UsageError(
      `tests.${index} of ${path} has no file.`,
      'Name its page: "file": "books/dracula.html"',
    );
  const html = readPage(file, { path, root });
  const sha256 = createHash('sha256').update(html).digest('hex');
  return { test: test as FileTest['test'], file, html, sha256 };
}

/** Reads a page beside a recipe. A file from elsewhere is refused: who proposes a recipe must not have any file of the machine sent. */
function readPage(file: string, { path, root }: { readonly path: string; readonly root: string }): string {
  const target = resolve(root, file);
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new UsageError(`${file} of ${path} is not there.`, `It would be ${target}.`);
  if (!isWithin(root, realpathSync(target)))
    throw new UsageError(`${file} of ${path} is outside of its folder.`, `Put the page below ${root}.`);
  if (found.size > MAX_PAGE_BYTES)
    throw new UsageError(
      `${file} of ${path} has ${found.size} bytes; a page of a test has at most ${MAX_PAGE_BYTES}.`,
      'Leave out what its values do not need, such as scripts and styles.',
    );
  return readFileSync(target, 'utf8');
}

function isWithin(root: string, target: string): boolean {
  const way = relative(root, target);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === target;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  html: '.html',
  xml: '.xml',
  json: '.json',
  text: '.txt',
};

/** Writes a recipe with its pages; files of the same recipe and of the same tests are replaced. Returns the path of the recipe. */
export async function writeRecipe(
  { name, match, options, tests }: Recipe,
  { folder, known }: { readonly folder: string; readonly known: readonly RecipeFile[] },
  readPageOf: (sha256: string) => Promise<string>,
): Promise<string> {
  const before = known.find(({ recipe }) => recipe.name === name);
  const taken = new Set(known.map(({ path }) => relative(folder, path).toLowerCase()));
  const path = before?.path ?? join(folder, freeName(fileNameOf(name), '.json', taken));
  const pages = relative(folder, path).replace(/\.json$/, '');
  const files = new Set<string>();
  const written: object[] = [];
  for (const { page, bytes: _bytes, ...test } of tests) {
    const own = before?.tests.find((each) => each.test.name === test.name)?.file;
    const extension = EXTENSIONS[test.kind ?? 'html'] ?? '.html';
    const isFree = own !== undefined && !files.has(own.toLowerCase());
    const file = isFree ? own : `${pages}/${freeName(fileNameOf(test.name), extension, files, pages)}`;
    files.add(file.toLowerCase());
    await save(join(dirname(path), file), await readPageOf(page));
    const { name: testName, ...rest } = test;
    written.push({ name: testName, file, ...rest });
  }
  const content = { name, match, options, tests: written };
  await save(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
}

/** Returns a name that is not taken. */
function freeName(name: string, extension: string, taken: ReadonlySet<string>, folder?: string): string {
  const pathOf = (text: string) => (folder === undefined ? text : `${folder}/${text}`).toLowerCase();
  for (let count = 1; ; count += 1) {
    const free = `${name}${count === 1 ? '' : `-${count}`}${extension}`;
    if (!taken.has(pathOf(free))) return free;
  }
}

async function save(path: string, content: string): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new CommandError(`The folder ${dirname(path)} could not be created (${code}).`);
  }
  await saveFile(path, content);
}
