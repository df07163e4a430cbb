import { AppError, type Scope } from '@gleaner/contracts';
import { type Account, hashKey, type StoredKey, type Stores } from '@gleaner/storage';
import QuickLRU from 'quick-lru';

/** An authenticated API key and its account. */
export interface Caller {
  readonly keyId: string;
  /** Holder of the limits: a feed is opened by its address, without a key. */
  readonly holder: 'API key' | 'feed';
  readonly key: StoredKey;
  readonly scopes: readonly Scope[];
  /** As old as the lookup's cache: shows whether credits are unlimited, not how many are left. */
  readonly account: Pick<Account, 'id' | 'balance'>;
}

/** An API key's record, which may be revoked or expired, and its account. */
export interface Credential {
  readonly key: StoredKey;
  readonly account: Account;
}

/** Authentication scheme in any case, one space or more, the token (RFC 6750, section 2.1; RFC 9110, section 11.4). */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * Returns the API key of a request, given all of its Authorization headers. Throws UNAUTHORIZED, without showing their
 * values, when there is none, more than one, or no bearer token.
 */
export function readBearer(authorization: readonly string[] = []): string {
  const [header, ...others] = authorization;
  if (header === undefined) {
    throw new AppError('UNAUTHORIZED', { message: 'The request has no Authorization header.' });
  }
  if (others.length > 0) {
    throw new AppError('UNAUTHORIZED', {
      message: 'The request has several Authorization headers.',
      suggestion: 'Send the header "Authorization: Bearer gl_…" once.',
    });
  }
  const key = BEARER.exec(header)?.[1];
  if (key === undefined) {
    throw new AppError('UNAUTHORIZED', { message: 'The Authorization header is not "Bearer <API key>".' });
  }
  return key;
}

/** Returns the caller of a credential. Throws UNAUTHORIZED when the key is unknown, revoked, or expired at `now`. */
export function checkCredential(credential: Credential | null, now: Date): Caller {
  if (!credential) throw unauthorized('is not known');
  const { key, account } = credential;
  if (key.revokedAt) throw unauthorized(`was revoked at ${key.revokedAt.toISOString()}`);
  if (key.expiresAt && key.expiresAt <= now) throw unauthorized(`expired at ${key.expiresAt.toISOString()}`);
  return { keyId: key.id, holder: 'API key', key, scopes: key.scopes, account };
}

function unauthorized(problem: string): AppError {
  return new AppError('UNAUTHORIZED', { message: `The API key ${problem}.` });
}

/** Time that a read of the database is trusted; a revocation reaches every replica after that. */
const KNOWN_FOR_MS = 3000;
const UNKNOWN_FOR_MS = 1000;

/** Entries of each cache. Known and unknown keys have their own, so that a flood of wrong keys evicts no valid ones. */
const MAX_ENTRIES = 10_000;

/** Collaborators of the lookup. */
export interface CredentialLookupDeps {
  readonly keys: Pick<Stores['keys'], 'findByHash'>;
  readonly accounts: Pick<Stores['accounts'], 'findAccount'>;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

type Lookup = Promise<Credential | null>;

interface Entry {
  readonly lookup: Lookup;
  readonly untilMs: number;
}

/** Finds credentials by the hash of a key and caches them briefly; concurrent calls with one key share one query. */
export class CredentialLookup {
  readonly #deps: CredentialLookupDeps;
  readonly #known = new QuickLRU<string, Entry>({ maxSize: MAX_ENTRIES });
  readonly #unknown = new QuickLRU<string, Entry>({ maxSize: MAX_ENTRIES });

  constructor(deps: CredentialLookupDeps) {
    this.#deps = deps;
  }

  /** Returns the credential of an API key; null when the key does not exist. */
  find(key: string): Lookup {
    return this.findByHash(hashKey(key));
  }

  /** Returns the credential of the API key with this SHA-256; null when the key does not exist. */
  findByHash(hash: string): Lookup {
    const nowMs = this.#deps.now();
    const entry = this.#known.get(hash) ?? this.#unknown.get(hash);
    return entry && entry.untilMs > nowMs ? entry.lookup : this.#lookUp(hash, nowMs);
  }

  /** Entries expire counted from the start of the query: a revocation during the query must not be missed for longer. */
  #lookUp(hash: string, nowMs: number): Lookup {
    const lookup = this.#read(hash);
    this.#known.delete(hash);
    this.#unknown.set(hash, { lookup, untilMs: nowMs + UNKNOWN_FOR_MS });
    lookup.then(
      (credential) => {
        if (credential && this.#remove(hash, lookup)) {
          this.#known.set(hash, { lookup, untilMs: nowMs + KNOWN_FOR_MS });
        }
      },
      () => this.#remove(hash, lookup),
    );
    return lookup;
  }

  async #read(hash: string): Lookup {
    const key = await this.#deps.keys.findByHash(hash);
    const account = key && (await this.#deps.accounts.findAccount(key.accountId));
    return key && account && { key, account };
  }

  #remove(hash: string, lookup: Lookup): boolean {
    return this.#unknown.get(hash)?.lookup === lookup && this.#unknown.delete(hash);
  }
}
