import { type Account, hashKey, type StoredKey, type Stores } from '@gleaner/storage';

/** How long the database's word on a key holds; a revocation is seen by every replica after that. */
const KNOWN_FOR_MS = 3000;
const UNKNOWN_FOR_MS = 1000;

/** Each kind has its own room, so that a flood of wrong keys pushes out no right ones. */
const MAX_REMEMBERED = 10_000;

/** An API key's record, revoked and expired ones too, and the account that it belongs to. */
export interface Credential {
  readonly key: StoredKey;
  readonly account: Account;
}

/** Collaborators of the lookup. */
export interface CredentialLookupDeps {
  readonly keys: Pick<Stores['keys'], 'findByHash'>;
  readonly accounts: Pick<Stores['accounts'], 'findAccount'>;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

type Answer = Promise<Credential | null>;

interface Remembered {
  readonly answer: Answer;
  readonly untilMs: number;
}

/** Finds credentials by the hash of a key, and remembers them for a moment; calls with one key share one query. */
export class CredentialLookup {
  readonly #deps: CredentialLookupDeps;
  readonly #known = new Map<string, Remembered>();
  readonly #unknown = new Map<string, Remembered>();

  constructor(deps: CredentialLookupDeps) {
    this.#deps = deps;
  }

  /** What is known of an API key; null when there is no such key. */
  find(key: string): Answer {
    const hash = hashKey(key);
    const nowMs = this.#deps.now();
    const remembered = this.#known.get(hash) ?? this.#unknown.get(hash);
    return remembered && remembered.untilMs > nowMs ? remembered.answer : this.#ask(hash, nowMs);
  }

  /** Times count from the question: what is revoked while the answer travels must not be believed longer. */
  #ask(hash: string, nowMs: number): Answer {
    const answer = this.#read(hash);
    this.#known.delete(hash);
    remember(this.#unknown, hash, { answer, untilMs: nowMs + UNKNOWN_FOR_MS });
    answer.then(
      (credential) => {
        if (credential && this.#forget(hash, answer)) {
          remember(this.#known, hash, { answer, untilMs: nowMs + KNOWN_FOR_MS });
        }
      },
      () => this.#forget(hash, answer),
    );
    return answer;
  }

  async #read(hash: string): Answer {
    const key = await this.#deps.keys.findByHash(hash);
    const account = key && (await this.#deps.accounts.findAccount(key.accountId));
    return key && account && { key, account };
  }

  #forget(hash: string, answer: Answer): boolean {
    return this.#unknown.get(hash)?.answer === answer && this.#unknown.delete(hash);
  }
}

function remember(room: Map<string, Remembered>, hash: string, remembered: Remembered): void {
  room.delete(hash);
  room.set(hash, remembered);
  const [oldest] = room.keys();
  if (room.size > MAX_REMEMBERED && oldest !== undefined) room.delete(oldest);
}
