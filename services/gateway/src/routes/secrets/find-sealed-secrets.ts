import {
  type Action,
  AppError,
  type CrawlOptions,
  type ErrorDetail,
  nearestName,
  type SealedSecret,
  secretsIn,
} from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { summarizeDetails } from '../../responses/summarize-details.ts';

/** Lists of steps by their paths in the request. */
export type ActionLists = Readonly<Record<string, readonly Action[] | undefined>>;

/** Returns the lists of steps of a job or a schedule, those of the rules of its crawl included. */
export function actionListsOf({
  actions,
  crawl,
}: {
  readonly actions?: readonly Action[] | undefined;
  readonly crawl?: CrawlOptions | null | undefined;
}): ActionLists {
  const ofRules = (crawl?.rules ?? []).map((rule, index) => [`crawl.rules.${index}.actions`, rule.actions]);
  return { actions, ...Object.fromEntries(ofRules) };
}

/** Returns the secrets of steps, encrypted. Throws INVALID_REQUEST with the path of each unknown one. */
export async function findSealedSecrets(
  lists: ActionLists,
  accountId: string,
  { secrets }: { readonly secrets: Pick<Stores['secrets'], 'findSecrets'> },
): Promise<SealedSecret[]> {
  const used = Object.entries(lists).flatMap(([path, actions]) => secretsIn(actions, path));
  if (used.length === 0) return [];
  const known = await secrets.findSecrets(accountId);
  const names = known.map(({ name }) => name);
  const details = used.flatMap(({ name, path }) =>
    names.includes(name) ? [] : [missing(name, path, names)],
  );
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  return known
    .filter(({ name }) => used.some((each) => each.name === name))
    .map(({ name, sealed, origins }) => ({ name, sealed, ...(origins && { origins: [...origins] }) }));
}

function missing(name: string, path: string, names: readonly string[]): ErrorDetail {
  const meant = names.length > 0 ? nearestName(name, names) : undefined;
  const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return {
    path,
    message: `is not a secret of this account${question} Store it with PUT /v1/secrets/${name}`,
  };
}
