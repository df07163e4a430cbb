import type { Caller } from '../caller.ts';
import type { Secret } from '../generated/openapi.ts';
import type { BodyOf, CallOptions } from '../operation-types.ts';

/** Secrets that steps of `actions` write into fields. All calls need an admin key. */
export class Secrets {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Stores a secret, or replaces its value. */
  async put(name: string, body: BodyOf<'putSecret'>, options?: CallOptions): Promise<Secret> {
    return (await this.#caller.call('putSecret', { path: { name }, body }, options)).secret;
  }

  /** Lists the secrets, without their values. */
  async list(options?: CallOptions): Promise<Secret[]> {
    return (await this.#caller.call('listSecrets', {}, options)).secrets;
  }

  /** Deletes a secret. */
  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#caller.call('deleteSecret', { path: { name } }, options);
  }
}
