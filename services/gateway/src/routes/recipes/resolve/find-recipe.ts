import { AppError, takingTurns } from '@gleaner/contracts';
import { compileUrlPattern, type UrlMatcher } from '@gleaner/frontier';
import { type RecipePatterns, type StoredRecipe, type Stores, versionIdOf } from '@gleaner/storage';

/** Store that recipes are read from. */
export interface RecipeReader {
  readonly recipes: Pick<Stores['recipes'], 'findRecipe' | 'listPatterns'>;
}

/** Finds a recipe by an id with or without a version. Throws RECIPE_NOT_FOUND, also for recipes of other accounts. */
export async function findRecipe(
  accountId: string,
  named: string,
  { recipes }: Pick<RecipeReader, 'recipes'>,
): Promise<StoredRecipe> {
  const [, id = named, version] = /^([^@]*)@([1-9]\d{0,8})$/.exec(named) ?? [];
  const found = await recipes.findRecipe(accountId, id, version === undefined ? undefined : Number(version));
  if (found) return found;
  throw new AppError('RECIPE_NOT_FOUND', { message: `There is no recipe "${named.slice(0, 100)}".` });
}

/** A URL, and its path in the request. */
export interface PlacedUrl {
  readonly url: string;
  readonly path: string;
}

/** Most characters of URLs in one request, counted once for each pattern beside them. */
const MAX_COMPARED = 100_000_000;

/**
 * Chooses the recipe with the best pattern for all URLs; null if none of them parses. Throws RECIPE_NOT_FOUND for a URL without
 * a match, and RECIPE_AMBIGUOUS where two fit one URL equally well, or URLs have different ones.
 */
export async function chooseRecipe(
  urls: readonly PlacedUrl[],
  accountId: string,
  { recipes }: RecipeReader,
): Promise<StoredRecipe | null> {
  const patterns = new PatternsByOrigin(await recipes.listPatterns(accountId));
  const pause = takingTurns();
  let compared = 0;
  let first: (PlacedUrl & { readonly recipe: RecipePatterns }) | undefined;
  for (const { url: text, path } of urls) {
    const url = URL.parse(text);
    if (!url) continue;
    const candidates = patterns.for(url);
    compared += text.length * candidates.length;
    if (compared > MAX_COMPARED) throw tooMuch();
    const recipe = await bestOf(candidates, { url, path, pause });
    first ??= { url: text, path, recipe };
    if (recipe.id !== first.recipe.id) throw different(first, { url: text, path, recipe });
  }
  return first ? await findRecipe(accountId, versionIdOf(first.recipe), { recipes }) : null;
}

/** A pattern of a recipe. */
interface Candidate {
  readonly recipe: RecipePatterns;
  readonly pattern: string;
  /** Number of characters that stand for themselves. */
  readonly literals: number;
  readonly matches: UrlMatcher;
}

/** Key of the patterns with an asterisk in the host. */
const ANY_ORIGIN = '*';

/** Patterns of recipes by the origins of their URLs, the most literal characters first. */
class PatternsByOrigin {
  readonly #byOrigin: ReadonlyMap<string, readonly Candidate[]>;
  readonly #sorted = new Map<string, readonly Candidate[]>();

  constructor(recipes: readonly RecipePatterns[]) {
    const all = recipes.flatMap((recipe) => recipe.match.map((pattern) => toCandidate(recipe, pattern)));
    this.#byOrigin = Map.groupBy(all, originOf);
  }

  for({ origin }: URL): readonly Candidate[] {
    const known = this.#sorted.get(origin);
    if (known) return known;
    const found = [origin, ANY_ORIGIN].flatMap((key) => this.#byOrigin.get(key) ?? []);
    const sorted = found.sort((a, b) => b.literals - a.literals);
    this.#sorted.set(origin, sorted);
    return sorted;
  }
}

function originOf({ pattern }: Candidate): string {
  const [, host = '*'] = /^https?:\/\/([^/?#]*)/.exec(pattern) ?? [];
  const url = host.includes('*') ? null : URL.parse(pattern);
  return url?.origin ?? ANY_ORIGIN;
}

function toCandidate(recipe: RecipePatterns, pattern: string): Candidate {
  let matches: UrlMatcher | undefined;
  return {
    recipe,
    pattern,
    literals: pattern.replaceAll('*', '').length,
    matches: (url) => {
      // Most are never compared.
      matches ??= compileUrlPattern(pattern);
      return matches(url);
    },
  };
}

/** Returns the recipe of the first pattern that matches; other calls get their turn between two, since compiling takes time. */
async function bestOf(
  candidates: readonly Candidate[],
  { url, path, pause }: { readonly url: URL; readonly path: string; readonly pause: () => Promise<void> },
): Promise<RecipePatterns> {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (best && candidate.literals < best.literals) break;
    await pause();
    if (candidate.recipe.id === best?.recipe.id || !candidate.matches(url)) continue;
    if (best) throw equal(best, candidate, { url: url.href, path });
    best = candidate;
  }
  if (!best) throw noMatch(url, path);
  return best.recipe;
}

function noMatch({ href }: URL, path: string): AppError {
  const message = `No recipe matches ${href.slice(0, 200)}.`;
  return new AppError('RECIPE_NOT_FOUND', {
    message,
    suggestion:
      'Name a recipe by its id, or give one a pattern for the URL; GET /v1/recipes lists the patterns.',
    details: [{ path, message: 'is matched by no recipe' }],
  });
}

function equal(best: Candidate, rival: Candidate, { url, path }: PlacedUrl): AppError {
  const nameOf = ({ recipe: { id, name }, pattern }: Candidate) => `"${name}" (${id}) by ${pattern}`;
  return new AppError('RECIPE_AMBIGUOUS', {
    message: `Two recipes match ${url.slice(0, 200)} equally well: ${nameOf(best)}, and ${nameOf(rival)}.`,
    suggestion: 'Name the recipe by its id, or give one of them a longer pattern.',
    details: [{ path, message: 'is matched equally well by two recipes' }],
  });
}

type Chosen = PlacedUrl & { readonly recipe: RecipePatterns };

function different(one: Chosen, other: Chosen): AppError {
  const describe = ({ url, recipe: { id, name } }: Chosen) => `${url.slice(0, 200)} has "${name}" (${id})`;
  return new AppError('RECIPE_AMBIGUOUS', {
    message: `The URLs have different recipes: ${describe(one)}, ${describe(other)}.`,
    suggestion: 'Make a job for the URLs of each recipe, or name one recipe by its id for all of them.',
    details: [{ path: other.path, message: `has another recipe than ${one.path}` }],
  });
}

function tooMuch(): AppError {
  const message = 'must be the id of a recipe: there are too many URLs to compare with so many patterns';
  return new AppError('INVALID_REQUEST', {
    message: `recipe ${message}.`,
    details: [{ path: 'recipe', message }],
  });
}
