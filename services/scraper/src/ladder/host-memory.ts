import { type Cookie, engineFor, type RungName, type ScrapeCommand } from '@gleaner/contracts';
import QuickLRU from 'quick-lru';

/** The rung that worked for a host. */
export interface HostRecord {
  readonly rung: RungName;
  /** Cookies set by the site, such as the proof that its check was passed. */
  readonly cookies: readonly Cookie[];
  /** The proxy that was used: such proofs are valid for one address. */
  readonly proxy?: string | undefined;
}

/** Limits of the memory. */
export interface MemoryRules {
  readonly rememberMs: number;
  readonly maxHosts: number;
}

/**
 * Remembers, per account, the rung that recently worked for each host. A record expires a fixed time after it was first
 * learned, however often it is used, so that cheaper rungs are tried again.
 */
export class HostMemory {
  readonly #rules: MemoryRules;
  readonly #now: () => number;
  readonly #records: QuickLRU<string, HostRecord & { readonly learnedAtMs: number }>;

  constructor(rules: MemoryRules, now: () => number = () => performance.now()) {
    this.#rules = rules;
    this.#now = now;
    this.#records = new QuickLRU({ maxSize: rules.maxHosts });
  }

  /** Returns the record for a request like this one, unless it has expired. */
  recall(command: ScrapeCommand): HostRecord | undefined {
    return this.#find(command);
  }

  /** Remembers the rung that worked. */
  learn(command: ScrapeCommand, record: HostRecord): void {
    const known = this.#find(command);
    const learnedAtMs = known?.rung === record.rung ? known.learnedAtMs : this.#now();
    this.#records.set(keyOf(command), { ...record, learnedAtMs });
  }

  /** Forgets the host: no rung worked. */
  forget(command: ScrapeCommand): void {
    this.#records.delete(keyOf(command));
  }

  #find(command: ScrapeCommand): (HostRecord & { readonly learnedAtMs: number }) | undefined {
    const record = this.#records.get(keyOf(command));
    return record && this.#now() - record.learnedAtMs < this.#rules.rememberMs ? record : undefined;
  }
}

/**
 * Returns the key of a record. It keeps apart accounts, since access must not mix; countries and engines, since sites
 * may treat them differently; a browser needed for content from one that the site asks for; and requests with other
 * bounds of the climb.
 */
function keyOf({ accountId, request }: ScrapeCommand): string {
  const { url, proxy = '-', render, antiBot = false, maxCredits = '-' } = request;
  return [
    accountId,
    new URL(url).host,
    proxy,
    engineFor(request),
    render === 'auto',
    antiBot,
    maxCredits,
  ].join(' ');
}
