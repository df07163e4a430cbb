import { urlPatterns } from '@gleaner/frontier';
import type { Stores } from '@gleaner/storage';
import QuickLRU from 'quick-lru';
import type { InSteps } from '../steps.ts';
import type { CrawlTerms } from './crawl-terms.ts';

/** Pages of one pattern of URLs, as far as this process has seen them. */
interface Pattern {
  pages: number;
  /** Hashes of texts. */
  readonly texts: Set<string>;
  /** True for each of the latest texts that was known. */
  readonly wereKnown: boolean[];
  isClosed: boolean;
}

const MAX_CRAWLS = 50;
const MAX_PATTERNS = 2000;
const MAX_TEXTS = 500;
/** A pattern is closed when so many of its latest pages had known texts. */
const WINDOW = 50;
const KNOWN_OF_WINDOW = 45;

/**
 * Watches patterns of URLs for traps: endless pages of one kind, and pages that show the same texts again and again. Its
 * counts are forgotten with the process; what it closes is stored with the crawl.
 */
export class PatternWatch {
  readonly #byCrawl = new QuickLRU<string, QuickLRU<string, Pattern>>({ maxSize: MAX_CRAWLS });

  /** Returns the pattern of a page, and the number of pages that have it. */
  find(crawlId: string, url: string): { readonly pattern: string; readonly pages: number } {
    const [pattern] = urlPatterns(new URL(url));
    return { pattern, pages: this.#find(crawlId, pattern).pages };
  }

  /** Counts a page that was added. */
  count(crawlId: string, url: string): void {
    const [pattern] = urlPatterns(new URL(url));
    this.#find(crawlId, pattern).pages += 1;
  }

  /** Notes the text of a page; returns the patterns, if any, whose pages mostly have known texts, each once. */
  note(crawlId: string, url: string, textHash: string): string[] {
    return urlPatterns(new URL(url)).filter((pattern) => {
      const found = this.#find(crawlId, pattern);
      const { texts, wereKnown } = found;
      wereKnown.push(texts.has(textHash));
      if (wereKnown.length > WINDOW) wereKnown.shift();
      if (texts.size < MAX_TEXTS) texts.add(textHash);
      const isTrap = wereKnown.length === WINDOW && wereKnown.filter(Boolean).length >= KNOWN_OF_WINDOW;
      if (!isTrap || found.isClosed) return false;
      found.isClosed = true;
      return true;
    });
  }

  #find(crawlId: string, name: string): Pattern {
    const patterns = this.#byCrawl.get(crawlId) ?? new QuickLRU<string, Pattern>({ maxSize: MAX_PATTERNS });
    this.#byCrawl.set(crawlId, patterns);
    const pattern = patterns.get(name) ?? {
      pages: 0,
      texts: new Set<string>(),
      wereKnown: [],
      isClosed: false,
    };
    patterns.set(name, pattern);
    return pattern;
  }
}

/** Returns whether a URL belongs to one of these patterns. */
export function isOfPattern(url: string, closed: readonly string[]): boolean {
  return closed.length > 0 && urlPatterns(new URL(url)).some((pattern) => closed.includes(pattern));
}

/** Returns the most pages of one pattern. */
export function maxPerPatternOf({ maxPerPattern, limit }: CrawlTerms): number {
  return maxPerPattern ?? Math.max(100, Math.ceil(limit / 4));
}

/** Returns whether pages are wanted however many there are like them: without a limit of its own, a crawl trusts what it is told. */
export function isWanted(
  { maxPerPattern, include }: CrawlTerms,
  { rule, isListed = false }: { readonly rule?: number | undefined; readonly isListed?: boolean },
): boolean {
  return maxPerPattern === undefined && (include !== undefined || rule !== undefined || isListed);
}

const CHUNK = 1000;

/** Closes a pattern whose pages mostly have known texts. */
export async function closePattern(
  id: string,
  pattern: string,
  { stores }: { readonly stores: Pick<Stores, 'jobs'> },
): Promise<void> {
  await stores.jobs.closePattern(id, pattern);
  await stores.jobs.warnOfCrawl(id, {
    code: 'PATTERN_CLOSED',
    message: `Pages with URLs like ${pattern} were left out: most of the last ${WINDOW} showed texts that others had shown. Add a rule that matches them to get them.`,
  });
}

/** Skips the waiting pages of a closed pattern, in steps. */
export async function skipPattern(
  id: string,
  pattern: string,
  { stores }: { readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages'> },
  inSteps: InSteps,
): Promise<void> {
  let afterIndex: number | undefined = -1;
  while (afterIndex !== undefined) {
    const part = { afterIndex, limit: CHUNK };
    afterIndex = await inSteps(async () => {
      const waiting = await stores.pages.findWaitingAfter(id, part);
      const ids = waiting.filter(({ url }) => isOfPattern(url, [pattern])).map((page) => page.id);
      if (ids.length > 0)
        await stores.jobs.countSkips(id, 'trap', await stores.pages.skip(ids, 'trap', stores.clock.now()));
      return waiting.at(-1)?.index;
    });
  }
}
