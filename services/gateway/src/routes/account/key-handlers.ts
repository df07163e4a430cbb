import { AppError, type Key, LIMITS } from '@gleaner/contracts';
import type { StoredKey, Stores } from '@gleaner/storage';
import type { Handlers } from '../handler.ts';
import { paginate } from '../paginate.ts';

/** Collaborators of the handlers. */
export type KeyDeps = Pick<Stores, 'clock' | 'keys'>;

/** Handlers of the key routes. An admin key may grant any scope, and may revoke itself. */
export const keyHandlers: Handlers<'createKey' | 'listKeys' | 'getCurrentKey' | 'revokeKey', KeyDeps> = {
  async createKey({ caller, body: { name, scopes, expiresAt: given } }, { clock, keys }) {
    const expiresAt = given === undefined ? null : futureMoment(given, clock.nowMs());
    if ((await keys.countUsableKeys(caller.account.id)) >= LIMITS.maxKeysPerAccount) throw tooManyKeys();
    const key = await keys.createKey({ accountId: caller.account.id, name, scopes, expiresAt });
    return { success: true, key: { ...describeKey(key), key: key.key } };
  },

  async listKeys({ caller, query: { limit = LIMITS.defaultPageSize, offset = 0 } }, { keys }) {
    const page = await keys.listKeys(caller.account.id, { limit, offset });
    const pagination = paginate({ limit, offset }, { count: page.keys.length, total: page.total });
    return { success: true, keys: page.keys.map(describeKey), pagination };
  },

  async getCurrentKey({ caller }) {
    return { success: true, key: describeKey(caller.key) };
  },

  async revokeKey({ caller, params: { id = '' } }, { keys }) {
    const key = await keys.revokeKey(caller.account.id, id);
    if (!key) throw new AppError('KEY_NOT_FOUND');
    return { success: true, key: describeKey(key) };
  },
};

/** Returns a key as callers see it: without its account, its hash, or the key itself. */
function describeKey(key: StoredKey): Key {
  const { id, name, prefix, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

function tooManyKeys(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The account has ${LIMITS.maxKeysPerAccount} keys that are neither revoked nor expired, which is the most that it may have.`,
    suggestion: 'Revoke keys that are no longer needed: GET /v1/keys shows when each was last used.',
  });
}

function futureMoment(timestamp: string, nowMs: number): Date {
  const moment = new Date(timestamp);
  if (moment.getTime() > nowMs) return moment;
  const details = [{ path: 'expiresAt', message: 'must be in the future' }];
  throw new AppError('INVALID_REQUEST', { message: `expiresAt is not in the future: ${timestamp}`, details });
}
