import {
  type Action,
  AppError,
  type CrawlOptions,
  type ErrorDetail,
  LIMITS,
  nearestName,
  purposeOf,
  SECRET_NAME,
  type SealedSecret,
  type Secret,
  secretsIn,
} from '@gleaner/contracts';
import type { SecretBox } from '@gleaner/service-kit';
import type { StoredSecret, Stores } from '@gleaner/storage';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import type { Handlers } from '../handler.ts';

/** Collaborators of the handlers. */
export interface SecretDeps extends Pick<Stores, 'clock' | 'secrets'> {
  /** Undefined if the operator has set no SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
}

/** Creates the handlers of secrets. */
export function createSecretHandlers({
  clock,
  secrets,
  secretBox,
}: SecretDeps): Pick<Handlers, 'putSecret' | 'listSecrets' | 'deleteSecret'> {
  return {
    async putSecret({ caller, params: { name = '' }, body: { value, origins: given } }) {
      const accountId = caller.account.id;
      requireName(name);
      if (!secretBox) throw noKey();
      const origins = given?.map((origin) => new URL(origin).origin);
      const known = await secrets.findSecrets(accountId);
      const isNew = known.every((secret) => secret.name !== name);
      if (isNew && known.length >= LIMITS.maxSecretsPerAccount) throw tooManySecrets();
      const sealed = secretBox.seal(purposeOf(accountId, { name, ...(origins && { origins }) }), value);
      const stored = await secrets.putSecret(
        accountId,
        { name, sealed, ...(origins && { origins }) },
        clock.now(),
      );
      return { success: true, secret: describeSecret(stored) };
    },

    async listSecrets({ caller }) {
      const found = await secrets.findSecrets(caller.account.id);
      return { success: true, secrets: found.map(describeSecret) };
    },

    async deleteSecret({ caller, params: { name = '' } }) {
      if (!(await secrets.removeSecret(caller.account.id, name))) throw new AppError('SECRET_NOT_FOUND');
      return undefined;
    },
  };
}

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

/** Returns the secrets that steps name, encrypted. Throws INVALID_REQUEST with the path of each that the account does not have. */
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

function requireName(name: string): void {
  if (new RegExp(SECRET_NAME.pattern).test(name)) return;
  const details = [{ path: 'name', message: `must be ${SECRET_NAME['x-expected']}` }];
  throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}

function describeSecret({ name, origins, createdAt, updatedAt }: StoredSecret): Secret {
  return {
    name,
    ...(origins && { origins: [...origins] }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function noKey(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: 'This service stores no secrets, because it has no key to encrypt them with.',
    suggestion: 'Ask the operator to set SECRETS_KEY for the gateway and the scrapers.',
  });
}

function tooManySecrets(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The account has ${LIMITS.maxSecretsPerAccount} secrets, which is the most that it may have.`,
    suggestion: 'Delete secrets that are no longer needed: DELETE /v1/secrets/:name.',
  });
}
