import type { Caller } from '../caller.ts';
import { createListing, type Listing } from '../data-of.ts';
import type { Key, NewKey } from '../generated/openapi.ts';
import type { BodyOf, CallOptions, QueryOf } from '../operation-types.ts';

/** API keys. All calls but `current` need an admin key. */
export class Keys {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a key. The key itself is only in this answer. */
  async create(body: BodyOf<'createKey'> = {}, options?: CallOptions): Promise<NewKey> {
    return (await this.#caller.call('createKey', { body }, options)).key;
  }

  /** Lists keys, newest first. */
  list(query: QueryOf<'listKeys'> = {}, options?: CallOptions): Listing<Key> {
    return createListing('keys', query, options, (each, call) =>
      this.#caller.call('listKeys', { query: each }, call),
    );
  }

  /** Returns the key of this client with its scopes; any key may ask. */
  async current(options?: CallOptions): Promise<Key> {
    return (await this.#caller.call('getCurrentKey', {}, options)).key;
  }

  /** Revokes a key. */
  async revoke(id: string, options?: CallOptions): Promise<Key> {
    return (await this.#caller.call('revokeKey', { path: { id } }, options)).key;
  }
}
