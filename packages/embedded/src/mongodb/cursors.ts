import { randomBytes } from 'node:crypto';
import { Long } from 'bson';
import { commandError } from './command-error.ts';
import type { Pacer } from './query/pacer.ts';

/** The rest of a result, which a client fetches with `getMore`. */
export interface OpenCursor {
  readonly id: Long;
  readonly namespace: string;
  /** Returns the next documents, as bytes, within a count (0 for the default) and the size of one reply. */
  next(batchSize: number): Promise<{ documents: Buffer[]; isDone: boolean }>;
  close(): Promise<void>;
}

interface Entry {
  readonly cursor: OpenCursor;
  usedAt: number;
  isBusy: boolean;
}

interface RegistryDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Idle time after which a cursor is closed (MongoDB: 10 minutes). */
  readonly idleMs: number;
  /** Limit of open cursors; beyond it the cursor that has been idle longest is closed. */
  readonly capacity: number;
}

/** The open cursors of a server. They outlive the connection that opened them, until they have been idle too long. */
export class CursorRegistry {
  readonly #deps: RegistryDeps;
  readonly #entries = new Map<string, Entry>();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  /** Returns a new positive id that no open cursor has. */
  newId(): Long {
    const bits = randomBytes(8).readBigUInt64LE() & 0x7fffffffffffffffn;
    return bits === 0n || this.#entries.has(String(bits)) ? this.newId() : Long.fromBigInt(bits);
  }

  /** Registers an open cursor. */
  add(cursor: OpenCursor): void {
    this.closeIdle();
    if (this.#entries.size >= this.#deps.capacity) this.#evictOldest();
    const entry = { cursor, usedAt: this.#deps.now(), isBusy: false };
    this.#entries.set(cursor.id.toString(), entry);
  }

  /** Runs one use of a cursor. Throws CursorNotFound, also for the cursor of another namespace. */
  async use<T>(id: Long, namespace: string, use: (cursor: OpenCursor) => Promise<T>): Promise<T> {
    this.closeIdle();
    const entry = this.#entries.get(id.toString());
    if (entry === undefined) throw commandError('CursorNotFound', `cursor id ${id} not found`);
    if (entry.cursor.namespace !== namespace) {
      throw commandError(
        'Unauthorized',
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${entry.cursor.namespace}`,
      );
    }
    if (entry.isBusy) throw commandError('CursorInUse', `cursor id ${id} is already in use`);
    entry.isBusy = true;
    try {
      return await use(entry.cursor);
    } finally {
      entry.isBusy = false;
      entry.usedAt = this.#deps.now();
    }
  }

  /** Closes a cursor of a namespace; returns false when it is not open. */
  kill(id: Long, namespace?: string): boolean {
    const entry = this.#entries.get(id.toString());
    if (entry === undefined || (namespace !== undefined && entry.cursor.namespace !== namespace))
      return false;
    this.#entries.delete(id.toString());
    // Closing ends a generator that only reads; the cursor is gone whatever it throws.
    entry.cursor.close().catch(() => undefined);
    return true;
  }

  /** Closes the cursors that have been idle too long. */
  closeIdle(): void {
    const oldest = this.#deps.now() - this.#deps.idleMs;
    for (const { cursor, isBusy, usedAt } of this.#entries.values()) {
      if (!isBusy && usedAt < oldest) this.kill(cursor.id);
    }
  }

  closeAll(): void {
    for (const { cursor } of this.#entries.values()) this.kill(cursor.id);
  }

  #evictOldest(): void {
    const idle = [...this.#entries.values()].filter(({ isBusy }) => !isBusy);
    const oldest = idle.reduce<Entry | undefined>(
      (a, b) => (a === undefined || b.usedAt < a.usedAt ? b : a),
      undefined,
    );
    if (oldest !== undefined) this.kill(oldest.cursor.id);
  }
}

/** "The initial batch is 101 documents", later ones are bounded by size alone. */
const FIRST_BATCH_SIZE = 101;

/** A reply's documents stay within the 16 MiB of a BSON document; a larger one is sent alone. */
const MOST_BATCH_BYTES = 16 * 1024 * 1024 - 16 * 1024;

/** Turns batches of encoded documents into batches of the sizes that a client asks for. */
export function createBatchedCursor(
  id: Long,
  namespace: string,
  source: AsyncGenerator<Buffer[], void, void>,
  pacer: Pacer,
): OpenCursor & { first(batchSize: number | undefined): Promise<{ documents: Buffer[]; isDone: boolean }> } {
  let ahead: Buffer[] = [];
  let at = 0;
  let isExhausted = false;

  const fill = async () => {
    while (at === ahead.length && !isExhausted) {
      const { value, done } = await source.next();
      ahead = value ?? [];
      at = 0;
      isExhausted = done === true;
    }
    return at < ahead.length;
  };

  const take = async (count: number) => {
    const documents: Buffer[] = [];
    let bytes = 0;
    while (documents.length < count && (await fill())) {
      const next = ahead[at] as Buffer;
      if (documents.length > 0 && bytes + next.length > MOST_BATCH_BYTES) return { documents, isDone: false };
      documents.push(next);
      bytes += next.length;
      at++;
    }
    return { documents, isDone: count > 0 && !(await fill()) };
  };

  const takeInTime = async (count: number) => {
    pacer.resume();
    try {
      return await take(count);
    } finally {
      pacer.suspend();
    }
  };

  return {
    id,
    namespace,
    first: (batchSize) => takeInTime(batchSize ?? FIRST_BATCH_SIZE),
    next: (batchSize) => takeInTime(batchSize === 0 ? Number.POSITIVE_INFINITY : batchSize),
    close: async () => {
      await source.return();
    },
  };
}
