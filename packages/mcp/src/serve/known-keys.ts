import { type Gleaner, GleanerError } from '@gleaner/client';
import QuickLRU from 'quick-lru';

/** A client for one key, and what the key may do. */
export interface KnownKey {
  readonly gleaner: Gleaner;
  readonly scopes: readonly string[] | undefined;
}

/** Time for which the scopes of a key are trusted. Calls with a revoked key fail at the service before that. */
const KNOWN_FOR_MS = 3000;
const MAX_KEYS = 1000;

/** Finds out what keys may do, and remembers it for a moment: an agent sends several requests in a row. */
export class KnownKeys {
  readonly #connect: (apiKey: string) => Gleaner;
  readonly #keys = new QuickLRU<string, Promise<KnownKey>>({ maxSize: MAX_KEYS, maxAge: KNOWN_FOR_MS });

  constructor(connect: (apiKey: string) => Gleaner) {
    this.#connect = connect;
  }

  /** Returns what the key may do. Throws UNAUTHORIZED when the service does not know it. */
  find(apiKey: string): Promise<KnownKey> {
    const known = this.#keys.get(apiKey);
    if (known) return known;
    const found = this.#ask(apiKey);
    this.#keys.set(apiKey, found);
    found.catch(() => this.#keys.delete(apiKey));
    return found;
  }

  async #ask(apiKey: string): Promise<KnownKey> {
    const gleaner = this.#connect(apiKey);
    return { gleaner, scopes: await findScopes(gleaner) };
  }
}

/** Time in which the service has to answer before its scopes count as unknown. */
const WITHIN_MS = 5000;

/** Returns the scopes of the key; undefined when the service is away. Throws UNAUTHORIZED when it does not know the key. */
export async function findScopes(gleaner: Gleaner): Promise<readonly string[] | undefined> {
  try {
    return (await gleaner.keys.current({ timeoutMs: WITHIN_MS, maxRetries: 0 })).scopes;
  } catch (error) {
    if (error instanceof GleanerError && error.code === 'UNAUTHORIZED') throw error;
    return undefined;
  }
}
