import { isDeepStrictEqual } from 'node:util';
import type { RecipeOptions, RecipeTest, RepairedRecipe, ScheduleSettings } from '@gleaner/contracts';
import { versionIdOf } from '@gleaner/storage';
import type { Applicant } from '../../admission/take-place.ts';
import { type ChangeDeps, changeRecipe, contentsOf } from './change-recipe.ts';
import { type RunDeps, runTests } from './run-tests.ts';

/** Collaborators of repairing recipes. */
export type RepairRecipeDeps = ChangeDeps & RunDeps;

/** Settings after a repair, and what it means for their recipe. */
interface Repaired {
  readonly settings: ScheduleSettings;
  readonly recipe?: RepairedRecipe;
}

/**
 * Makes a version of the recipe of a schedule with its repaired selectors, once all tests pass with them; a red one leaves the
 * recipe as it is. A schedule with selectors of its own does not change its recipe.
 */
export async function repairRecipe(
  before: ScheduleSettings,
  after: ScheduleSettings,
  call: Applicant,
  deps: RepairRecipeDeps,
): Promise<Repaired> {
  const [id = ''] = (before.recipe ?? '').split('@');
  const accountId = call.caller.account.id;
  // A key that may not change recipes leaves them as they are.
  const mayChange = call.caller.scopes.includes('scrape');
  const latest = mayChange ? await deps.recipes.findRecipe(accountId, id) : null;
  if (!latest) return { settings: after };
  const options: RecipeOptions = JSON.parse(latest.optionsJson);
  // A schedule that was modified concurrently is repaired again.
  if (isDeepStrictEqual(options.selectors, after.selectors))
    return { settings: { ...after, recipe: versionIdOf(latest) } };
  if (!after.selectors || !isDeepStrictEqual(options.selectors, before.selectors)) return { settings: after };
  const repaired = { ...options, selectors: after.selectors };
  const tests: RecipeTest[] = JSON.parse(latest.testsJson);
  const { failed, results } = await runTests(
    tests.map((test) => ({ test })),
    repaired,
    call,
    deps,
  );
  const red = results.flatMap(({ name, passed }) => (passed ? [] : [name]));
  if (failed > 0) return { settings: after, recipe: { version: versionIdOf(latest), isNew: false, red } };
  const optionsJson = JSON.stringify(repaired);
  const next = await changeRecipe(accountId, id, deps, (found) => {
    const isLatest = found.version === latest.version;
    return isLatest ? { ...contentsOf(found), optionsJson } : contentsOf(found);
  });
  if (next.optionsJson !== optionsJson) return { settings: after };
  const version = versionIdOf(next);
  return { settings: { ...after, recipe: version }, recipe: { version, isNew: true, red } };
}
