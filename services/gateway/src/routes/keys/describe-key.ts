import type { Key } from '@gleaner/contracts';
import type { StoredKey } from '@gleaner/storage';

/** A key as it is shown: never whose it is, never the key itself. */
export function describeKey({ id, name, prefix, scopes, createdAt, expiresAt, revokedAt }: StoredKey): Key {
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
