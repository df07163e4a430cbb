import { AppError, LIMITS } from '@gleaner/contracts';
import type { RecipeContents, StoredRecipe, Stores } from '@gleaner/storage';
import { invalid, isSameJson } from './check-recipe.ts';

/** Collaborators of changing recipes. */
export interface ChangeDeps {
  readonly clock: Stores['clock'];
  readonly recipes: Pick<Stores['recipes'], 'findRecipe' | 'replaceRecipe'>;
}

/** Number of attempts at a change when the recipe is changed concurrently. */
const MAX_ATTEMPTS = 5;

/** Makes the next version of a recipe, unless nothing differs. Throws RECIPE_NOT_FOUND, and INVALID_REQUEST for a name that is taken. */
export async function changeRecipe(
  accountId: string,
  id: string,
  deps: ChangeDeps,
  change: (before: StoredRecipe) => RecipeContents,
): Promise<StoredRecipe> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await requireLatest(accountId, id, deps);
    const contents = change(before);
    if (isSame(before, contents)) return before;
    const now = deps.clock.now();
    const next = { contents, now, kept: LIMITS.maxRecipeVersions };
    const outcome = await deps.recipes.replaceRecipe(before, next);
    if (outcome === 'nameTaken') throw nameTaken();
    if (outcome === 'stale') continue;
    const { testedJson: _tested, ...rest } = before;
    return { ...rest, ...contents, version: before.version + 1, updatedAt: now };
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'The recipe was changed concurrently; no change was made.',
    retryAfterSeconds: 1,
  });
}

function isSame(before: StoredRecipe, after: RecipeContents): boolean {
  return (
    before.name === after.name &&
    isSameJson(JSON.stringify(before.match), JSON.stringify(after.match)) &&
    isSameJson(before.optionsJson, after.optionsJson) &&
    isSameJson(before.testsJson, after.testsJson)
  );
}

/** Throws RECIPE_NOT_FOUND unless the id is that of a recipe; a version cannot be changed. */
export async function requireLatest(
  accountId: string,
  id: string,
  { recipes }: Pick<ChangeDeps, 'recipes'>,
): Promise<StoredRecipe> {
  const recipe = await recipes.findRecipe(accountId, id);
  if (!recipe) throw new AppError('RECIPE_NOT_FOUND');
  return recipe;
}

/** Returns what a version consists of. */
export function contentsOf({ name, match, optionsJson, testsJson, pages }: StoredRecipe): RecipeContents {
  return { name, match, optionsJson, testsJson, pages };
}

/** Returns the error of a name that another recipe has. */
export function nameTaken(): AppError {
  return invalid([{ path: 'name', message: 'is the name of another recipe of the account' }]);
}
