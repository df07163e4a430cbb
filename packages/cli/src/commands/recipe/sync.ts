import { isDeepStrictEqual } from 'node:util';
import type { Recipe } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions, Opened } from '../../cli.ts';
import {
  type FileTest,
  isFolder,
  type RecipeFile,
  readRecipes,
  writeRecipe,
} from '../../input/recipe-files.ts';
import type { Column } from '../../output/render-table.ts';

/** Outcome for a recipe. */
interface Row {
  readonly recipe: string;
  readonly done: 'created' | 'changed' | 'unchanged' | 'written';
  readonly id: string;
  readonly version: number;
  readonly path: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'recipe', value: ({ recipe }) => recipe },
  { name: 'done', isWhole: true, value: ({ done }) => done },
  { name: 'version', isWhole: true, value: ({ id, version }) => `${id}@${version}` },
  { name: 'path', isMinor: true, value: ({ path }) => path },
];

interface PullFlags extends GlobalOptions {
  readonly recipe?: string[];
}

/** `gleaner recipe pull <folder>`. */
export function definePull(command: Command, cli: Cli): void {
  command
    .argument('<folder>', 'folder for the files; recipes that it has are replaced')
    .option('--recipe <id...>', 'only these recipes, rec_…')
    .action(async (folder: string, { recipe: ids, ...flags }: PullFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const known = isFolder(folder) ? await readRecipes([folder], cli) : [];
      const wanted = ids ?? (await gleaner.recipes.list(call)).map(({ id }) => id);
      const files = [...known];
      const rows: Row[] = [];
      for (const each of wanted) {
        const recipe = await gleaner.recipes.get(each, call);
        const { id, version, name } = recipe;
        const readPage = (sha256: string) => gleaner.recipes.page(sha256, call);
        const path = await writeRecipe(recipe, { folder, known: files }, readPage);
        files.push({ path, recipe: { name, options: recipe.options }, tests: [] });
        rows.push({ recipe: name, done: 'written', id, version, path });
      }
      await output.list(rows, COLUMNS, 'There are no recipes.');
    });
}

/** `gleaner recipe push <paths…>`. */
export function definePush(command: Command, cli: Cli): void {
  command
    .argument('<paths...>', 'files and folders of recipes')
    .action(async (paths: string[], flags: GlobalOptions) => {
      const files = await readRecipes(paths, cli);
      const opened = await cli.open(flags);
      const { output, gleaner, call } = opened;
      const ids = new Map((await gleaner.recipes.list(call)).map(({ name, id }) => [name, id]));
      const rows: Row[] = [];
      for (const file of files) rows.push(await push(file, ids.get(file.recipe.name), opened));
      await output.list(rows, COLUMNS, 'There are no recipes in these files.');
    });
}

/** Stores a recipe under its name. */
async function push(file: RecipeFile, id: string | undefined, opened: Opened): Promise<Row> {
  const { gleaner, call } = opened;
  const { recipe, tests, path } = file;
  const before = id === undefined ? undefined : await gleaner.recipes.get(id, call);
  const rowOf = (done: Row['done'], stored: Recipe): Row => {
    return { recipe: recipe.name, done, id: stored.id, version: stored.version, path };
  };
  if (before && isSame(before, file)) return rowOf('unchanged', before);
  const known = new Set(before?.tests.map(({ page }) => page));
  const body = { match: [], ...recipe, tests: await withPages(tests, known, opened) };
  if (!before) return rowOf('created', await gleaner.recipes.create(body, call));
  return rowOf('changed', await gleaner.recipes.update(before.id, body, call));
}

function isSame(before: Recipe, { recipe, tests }: RecipeFile): boolean {
  const { name, match, options } = before;
  const stored = before.tests.map(({ bytes: _bytes, ...test }) => test);
  const given = tests.map(({ test, sha256 }) => ({ ...test, page: sha256 }));
  return isDeepStrictEqual({ name, match, options, tests: stored }, { match: [], ...recipe, tests: given });
}

/** Most characters of pages in the request of a recipe; more are stored before it. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Returns tests with their pages; pages that the service has are named by their SHA-256. */
async function withPages(tests: readonly FileTest[], known: ReadonlySet<string>, { gleaner, call }: Opened) {
  const missing = tests.filter(({ sha256 }) => !known.has(sha256));
  const isLarge = missing.reduce((sum, { html }) => sum + html.length, 0) > MAX_CHARACTERS;
  if (isLarge) for (const { html } of missing) await gleaner.recipes.addPage(html, call);
  return tests.map(({ test, html, sha256 }) =>
    isLarge || known.has(sha256) ? { ...test, page: sha256 } : { ...test, html },
  );
}
