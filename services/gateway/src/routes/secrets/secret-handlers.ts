import { AppError, defined, LIMITS, purposeOf, SECRET_NAME, type Secret } from '@gleaner/contracts';
import type { SecretBox } from '@gleaner/service-kit';
import type { StoredSecret, Stores } from '@gleaner/storage';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import type { Handlers } from '../handler.ts';

/** Collaborators of the handlers. */
export interface SecretDeps extends Pick<Stores, 'clock' | 'secrets'> {
  /** Undefined if the operator has set no SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
}

/** Handlers of secrets. */
export const secretHandlers: Handlers<'putSecret' | 'listSecrets' | 'deleteSecret', SecretDeps> = {
  async putSecret({ caller, params: { name = '' }, body: { value, origins: given } }, deps) {
    const accountId = caller.account.id;
    requireName(name);
    const { clock, secrets, secretBox } = deps;
    if (!secretBox) throw noKey();
    const origins = given?.map((origin) => new URL(origin).origin);
    const known = await secrets.findSecrets(accountId);
    const isNew = known.every((secret) => secret.name !== name);
    if (isNew && known.length >= LIMITS.maxSecretsPerAccount) throw tooManySecrets();
    const sealed = secretBox.seal(purposeOf(accountId, { name, ...defined({ origins }) }), value);
    const stored = await secrets.putSecret(accountId, { name, sealed, ...defined({ origins }) }, clock.now());
    return { success: true, secret: describeSecret(stored) };
  },

  async listSecrets({ caller }, { secrets }) {
    const found = await secrets.findSecrets(caller.account.id);
    return { success: true, secrets: found.map(describeSecret) };
  },

  async deleteSecret({ caller, params: { name = '' } }, { secrets }) {
    if (!(await secrets.removeSecret(caller.account.id, name))) throw new AppError('SECRET_NOT_FOUND');
    return undefined;
  },
};

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
