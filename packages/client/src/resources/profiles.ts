import type { Caller } from '../caller.ts';
import { createListing, type Listing } from '../data-of.ts';
import type { Profile, StorageState } from '../generated/openapi.ts';
import type { BodyOf, CallOptions, QueryOf } from '../operation-types.ts';

/** Profiles: sessions that are signed in once and used by many pages. */
export class Profiles {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a profile; its login, if it has one, begins at once. */
  async create(body: BodyOf<'createProfile'>, options?: CallOptions): Promise<Profile> {
    return (await this.#caller.call('createProfile', { body }, options)).profile;
  }

  /** Lists profiles, newest first. */
  list(query: QueryOf<'listProfiles'> = {}, options?: CallOptions): Listing<Profile> {
    return createListing('profiles', query, options, (each, call) =>
      this.#caller.call('listProfiles', { query: each }, call),
    );
  }

  /** Returns a profile. */
  async get(id: string, options?: CallOptions): Promise<Profile> {
    return (await this.#caller.call('getProfile', { path: { id } }, options)).profile;
  }

  /** Changes a profile, or uploads a new state. */
  async update(id: string, body: BodyOf<'updateProfile'>, options?: CallOptions): Promise<Profile> {
    return (await this.#caller.call('updateProfile', { path: { id }, body }, options)).profile;
  }

  /** Deletes a profile with its state. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#caller.call('deleteProfile', { path: { id } }, options);
  }

  /** Begins a login; `status` of the profile tells when it is done. */
  async login(id: string, options?: CallOptions): Promise<Profile> {
    return (await this.#caller.call('loginProfile', { path: { id } }, options)).profile;
  }

  /** Returns the state of a profile as Playwright's `storageState`; needs an admin key. */
  async state(id: string, options?: CallOptions): Promise<StorageState> {
    return (await this.#caller.call('getProfileState', { path: { id } }, options)).storageState;
  }
}
