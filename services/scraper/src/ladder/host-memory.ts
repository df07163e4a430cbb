import { type Cookie, engineFor, type RungName, type ScrapeCommand } from '@gleaner/contracts';

/** What got through to a host. */
export interface Lesson {
  readonly rung: RungName;
  /** What the site had set by then, such as the proof that its check was passed. */
  readonly cookies: readonly Cookie[];
  /** The proxy that it came through: such proofs hold for one address. */
  readonly proxy?: string | undefined;
}

/** How long, and how much. */
export interface MemoryRules {
  readonly rememberMs: number;
  readonly maxHosts: number;
}

/**
 * What got through to each host lately, for the account that found out. A lesson is forgotten a while after it was first
 * learned, however often it served: then the cheap rungs get another chance.
 */
export class HostMemory {
  readonly #rules: MemoryRules;
  readonly #now: () => number;
  /** The one that was used last comes last. */
  readonly #lessons = new Map<string, Lesson & { readonly learnedAtMs: number }>();

  constructor(rules: MemoryRules, now: () => number = () => performance.now()) {
    this.#rules = rules;
    this.#now = now;
  }

  /** What worked for a request like this one, unless that is too long ago. */
  recall(command: ScrapeCommand): Lesson | undefined {
    return this.#find(command);
  }

  /** Takes note of what worked. */
  learn(command: ScrapeCommand, lesson: Lesson): void {
    const known = this.#find(command);
    const learnedAtMs = known?.rung === lesson.rung ? known.learnedAtMs : this.#now();
    this.#lessons.set(keyOf(command), { ...lesson, learnedAtMs });
    const [oldest] = this.#lessons.keys();
    if (oldest !== undefined && this.#lessons.size > this.#rules.maxHosts) this.#lessons.delete(oldest);
  }

  /** Nothing worked. */
  forget(command: ScrapeCommand): void {
    this.#lessons.delete(keyOf(command));
  }

  #find(command: ScrapeCommand): (Lesson & { readonly learnedAtMs: number }) | undefined {
    const key = keyOf(command);
    const lesson = this.#lessons.get(key);
    if (!lesson) return undefined;
    this.#lessons.delete(key);
    if (this.#now() - lesson.learnedAtMs >= this.#rules.rememberMs) return undefined;
    this.#lessons.set(key, lesson);
    return lesson;
  }
}

/** A site may treat every country, and what is rendered, in its own way; what one account is let do is not another's. */
function keyOf({ accountId, request }: ScrapeCommand): string {
  const { url, proxy = '-' } = request;
  return `${accountId} ${new URL(url).host} ${proxy} ${engineFor(request)}`;
}
