import type { Stores } from '@gleaner/storage';

/** Remembers when keys were used, so that one write in a while stores it for all of them. */
export class KeyUses {
  readonly #keys: Pick<Stores['keys'], 'noteUses'>;
  #lastUsed = new Map<string, Date>();

  constructor(keys: Pick<Stores['keys'], 'noteUses'>) {
    this.#keys = keys;
  }

  /** Notes that a call came with the key. */
  note(keyId: string, at: Date): void {
    this.#lastUsed.set(keyId, at);
  }

  /** Stores what was noted since the last time; on an error, the keys are noted again by their next calls. */
  async store(): Promise<void> {
    const uses = this.#lastUsed;
    this.#lastUsed = new Map();
    await this.#keys.noteUses(uses);
  }
}
