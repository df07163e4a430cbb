import { AppError, LIMITS } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { Handlers } from '../handler.ts';
import { describeKey } from './describe-key.ts';

/** The handlers of the key routes. An admin key may grant any scope, and may revoke itself. */
export function createKeyHandlers({
  keys,
}: Pick<Stores, 'keys'>): Pick<Handlers, 'createKey' | 'listKeys' | 'revokeKey'> {
  return {
    async createKey({ caller, body: { name, scopes, expiresAt } }) {
      const end = expiresAt === undefined ? null : futureMoment(expiresAt, Date.now());
      const key = await keys.createKey({ accountId: caller.account.id, name, scopes, expiresAt: end });
      return { success: true, key: { ...describeKey(key), key: key.key } };
    },

    async listKeys({ caller, query: { limit = LIMITS.defaultPageSize, offset = 0 } }) {
      const page = await keys.listKeys(caller.account.id, { limit, offset });
      const hasMore = offset + page.keys.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return { success: true, keys: page.keys.map(describeKey), pagination };
    },

    async revokeKey({ caller, params: { id = '' } }) {
      const key = await keys.revokeKey(caller.account.id, id);
      if (!key) throw new AppError('KEY_NOT_FOUND');
      return { success: true, key: describeKey(key) };
    },
  };
}

function futureMoment(timestamp: string, nowMs: number): Date {
  const moment = new Date(timestamp);
  if (moment.getTime() > nowMs) return moment;
  const details = [{ path: 'expiresAt', message: 'must be in the future' }];
  throw new AppError('INVALID_REQUEST', { message: `expiresAt is not in the future: ${timestamp}`, details });
}
