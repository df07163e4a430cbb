import { isDeepStrictEqual } from 'node:util';
import { AppError, type RecipeOptions, type ScrapeOptions } from '@gleaner/contracts';
import { versionIdOf } from '@gleaner/storage';
import { chooseRecipe, findRecipe, type PlacedUrl, type RecipeReader } from './find-recipe.ts';

/**
 * Returns a request with the options of the recipe that it names, where it has none of its own; its `recipe` is the version
 * then. Throws RECIPE_NOT_FOUND and RECIPE_AMBIGUOUS.
 */
export async function withRecipe<Options extends ScrapeOptions>(
  request: Options,
  urls: readonly PlacedUrl[],
  accountId: string,
  deps: RecipeReader,
): Promise<Options> {
  const named = request.recipe;
  if (named === undefined) return request;
  const recipe =
    named === 'auto' ? await chooseRecipe(urls, accountId, deps) : await findRecipe(accountId, named, deps);
  // Without a URL that parses, the request is refused for its URLs.
  if (!recipe) return request;
  const options: RecipeOptions = JSON.parse(recipe.optionsJson);
  return { ...options, ...request, recipe: versionIdOf(recipe) };
}

/** Returns settings without the options of their recipe, which are equal to its own; all of them if it is deleted. */
export async function withoutRecipe<Options extends ScrapeOptions>(
  settings: Options,
  accountId: string,
  deps: RecipeReader,
): Promise<Options> {
  const { recipe: named } = settings;
  if (named === undefined) return settings;
  const options = await findOptions(accountId, named, deps);
  const own = Object.entries(settings).filter(
    ([name, value]) => name !== 'recipe' && !isDeepStrictEqual(value, options[name]),
  );
  return Object.fromEntries(own) as Options;
}

async function findOptions(
  accountId: string,
  named: string,
  deps: RecipeReader,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return JSON.parse((await findRecipe(accountId, named, deps)).optionsJson);
  } catch (error) {
    if (error instanceof AppError && error.code === 'RECIPE_NOT_FOUND') return {};
    throw error;
  }
}

/** Returns URLs with their paths in a request. */
export function placed(urls: readonly string[], pathOf: (index: number) => string): PlacedUrl[] {
  return urls.map((url, index) => ({ url, path: pathOf(index) }));
}
