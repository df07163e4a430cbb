import {
  type CrawlFilter,
  type DropReason,
  type FoundLink,
  MAX_LEFT_OUT,
  type SitemapFound,
} from '@gleaner/contracts';
import type { Budget } from '@gleaner/extraction';
import type { CompiledFilter } from '@gleaner/frontier';
import { compileFilterOnce } from './compile-filter-once.ts';

/** Links of one document: the links that belong to the crawl, and the number of others by reason. */
export type FoundLinks = Pick<SitemapFound, 'links' | 'dropped' | 'patterns' | 'cutBecause'>;

/** Most links of one document, and most characters of their URLs. */
export interface LinkLimits {
  readonly maxLinks: number;
  readonly maxChars: number;
}

/** Rules and limits for the links of one document. */
export interface CollectorOptions extends LinkLimits {
  readonly filter: CrawlFilter;
  /** Key of the document, which does not link to itself. */
  readonly ownKey?: string;
  readonly budget: Budget;
}

/** Traits of a link that its page declares. */
interface LinkTraits {
  readonly isNext?: boolean;
  readonly isNofollow?: boolean;
  readonly text?: string;
  /** Time of its last change. */
  readonly modifiedMs?: number;
}

/** Longer URLs are not even compared with the patterns. */
const MAX_URL_CHARS = 2048;

/** Steps of the budget for the key of a link, and for each character that a pattern is compared with. */
const KEY_STEPS = 400;
const STEPS_PER_CHAR = 3;
/** About two seconds of one core. */
const MAX_STEPS = 100_000_000;

/** Collects the links of a document that belong to its crawl, each page once, within limits. */
export class LinkCollector {
  readonly #options: CollectorOptions;
  readonly #filter: Pick<CompiledFilter, 'admit'>;
  readonly #patternCount: number;
  readonly #links = new Map<string, FoundLink>();
  readonly #dropped: Partial<Record<DropReason, number>> = {};
  readonly #patterns = new Set<number>();
  readonly #leftOut = new Set<string>();
  #chars = 0;
  #steps = 0;
  #cutBecause: string | undefined;

  constructor(options: CollectorOptions) {
    this.#options = options;
    const { include = [], exclude = [], rules = [] } = options.filter;
    this.#filter = compileFilterOnce(options.filter);
    this.#patternCount = include.length + exclude.length + rules.length;
  }

  /** Adds a link. Returns false when no more links are taken. Throws UNSUPPORTED_CONTENT when over the budget. */
  add(url: URL, { isNext = false, isNofollow = false, ...details }: LinkTraits = {}): boolean {
    if (this.#cutBecause !== undefined) return false;
    if (isNofollow && this.#options.filter.obeysNofollow) return this.#drop('nofollow');
    if (url.href.length > MAX_URL_CHARS) return this.#drop('trap');
    // Such URLs are never fetched.
    if (url.username !== '' || url.password !== '') return this.#drop('outOfScope');
    if (!this.#spend(url)) return false;
    const admission = this.#filter.admit(url);
    for (const index of admission.patterns ?? []) this.#patterns.add(index);
    if ('droppedBecause' in admission) {
      const { droppedBecause } = admission;
      if (droppedBecause === 'excluded' && this.#leftOut.size < MAX_LEFT_OUT) this.#leftOut.add(url.href);
      return this.#drop(droppedBecause);
    }
    return this.#keep({ ...admission.link, ...(isNext && { isNext: true as const }), ...details });
  }

  /** The links so far. */
  get found(): FoundLinks {
    return {
      links: [...this.#links.values()],
      dropped: this.#dropped,
      ...(this.#patterns.size > 0 && { patterns: [...this.#patterns] }),
      ...(this.#cutBecause !== undefined && { cutBecause: this.#cutBecause }),
    };
  }

  /** Some links that the patterns of the crawl leave out, if they leave out all. */
  get leftOut(): readonly string[] {
    return this.#links.size === 0 ? [...this.#leftOut] : [];
  }

  #keep(link: FoundLink): boolean {
    const { ownKey, maxLinks, maxChars } = this.#options;
    const known = this.#links.get(link.key);
    if (known && link.text !== undefined) known.text ??= link.text;
    if (link.key === ownKey || known) return true;
    if (this.#links.size >= maxLinks) return this.#cut(`it has more than ${maxLinks} links`);
    if (this.#chars + link.url.length > maxChars)
      return this.#cut(`its links have more than ${maxChars} characters`);
    this.#chars += link.url.length;
    this.#links.set(link.key, link);
    return true;
  }

  #drop(reason: DropReason): true {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + 1;
    return true;
  }

  #spend({ href }: URL): boolean {
    const steps = KEY_STEPS + STEPS_PER_CHAR * this.#patternCount * href.length;
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) return this.#cut('comparing its links with the patterns takes too long');
    this.#options.budget.spend(steps);
    return true;
  }

  #cut(reason: string): false {
    this.#cutBecause = reason;
    return false;
  }
}
