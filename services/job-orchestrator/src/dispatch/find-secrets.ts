import { type SealedSecret, secretsIn } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { PickedPage } from './picked-page.ts';

/** Secrets that the actions of jobs name, encrypted, by the id of the job. */
export type Secrets = ReadonlyMap<string, readonly SealedSecret[]>;

/** Finds the secrets of the jobs of pages. */
export async function findSecrets(
  picks: readonly PickedPage[],
  { stores }: { readonly stores: Pick<Stores, 'secrets'> },
): Promise<Secrets> {
  const found = new Map<string, readonly SealedSecret[]>();
  for (const job of new Set(picks.map((pick) => pick.job))) {
    const lists = [job.options.actions, ...(job.crawl?.terms.rules ?? []).map(({ actions }) => actions)];
    const names = [...new Set(lists.flatMap((actions) => secretsIn(actions).map(({ name }) => name)))];
    if (names.length === 0) continue;
    found.set(job.id, await sealedSecretsOf(job.accountId, names, stores));
  }
  return found;
}

/** Returns secrets of an account, encrypted. */
export async function sealedSecretsOf(
  accountId: string,
  names: readonly string[],
  { secrets }: Pick<Stores, 'secrets'>,
): Promise<SealedSecret[]> {
  if (names.length === 0) return [];
  const stored = await secrets.findSecrets(accountId, names);
  return stored.map(({ name, sealed, origins }) => ({
    name,
    sealed,
    ...(origins && { origins: [...origins] }),
  }));
}
