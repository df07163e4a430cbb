import { AppError, type Failure, toFailure } from '@gleaner/contracts';
import { compileRobots, type RobotsMatcher } from '@gleaner/frontier';
import type { CrawlAdditions, FoundRobots, StoredPage, Stores } from '@gleaner/storage';
import QuickLRU from 'quick-lru';
import { robotsPageOf } from './crawl-files.ts';
import { isStartUrl } from './crawl-terms.ts';

/** A crawl whose pages are checked. */
export interface GatedCrawl {
  readonly id: string;
  readonly obeysRobots: boolean;
  readonly createdAtMs: number;
}

/** Collaborators of a gate. */
export interface RobotsGateDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'robots'>;
  readonly retentionMs: number;
}

/** Rules of one origin. */
interface OriginRules {
  readonly mayFetch: RobotsMatcher;
  readonly unreachable: Failure | undefined;
  readonly delayMs: number;
  readonly readAtMs: number;
  readonly expiresAtMs: number;
}

/** Result of asking: the pages that may be fetched now. */
export interface GateAnswer {
  readonly pages: readonly StoredPage[];
  /** Some pages were ended, because they may never be fetched. */
  readonly hasEnded: boolean;
  /** A robots.txt has to be read first, and waits to be dispatched. */
  readonly hasRequested: boolean;
}

const NO_ADDITIONS: CrawlAdditions = {
  admitted: 0,
  fetched: 0,
  visited: 0,
  missing: 0,
  unstarted: 0,
  depth: 0,
  skipped: new Map(),
  dropped: new Map(),
};
/** The longest Crawl-delay that is obeyed. */
const MAX_DELAY_MS = 30_000;
const MAX_ORIGINS = 1000;
/** Delay before a missing robots.txt is requested again. */
const ASK_AGAIN_MS = 30_000;
const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;

/**
 * Lets pages of crawls pass if robots.txt allows them, and finishes disallowed ones without fetching. Requests
 * robots.txt first where the rules are not known.
 */
export class RobotsGate {
  readonly #deps: RobotsGateDeps;
  readonly #rules = new QuickLRU<string, OriginRules>({ maxSize: MAX_ORIGINS });
  readonly #askedAtMs = new QuickLRU<string, number>({ maxSize: MAX_ORIGINS });

  constructor(deps: RobotsGateDeps) {
    this.#deps = deps;
  }

  /** Returns the Crawl-delay of a host in milliseconds, as far as it is obeyed; 0 if it has none. */
  delayMsOf(host: string): number {
    const delays = ['https', 'http'].map((scheme) => this.#rules.get(`${scheme}://${host}`)?.delayMs ?? 0);
    return Math.max(...delays);
  }

  /** Returns the allowed pages; finishes the disallowed ones. */
  async check(crawl: GatedCrawl, pages: readonly StoredPage[]): Promise<GateAnswer> {
    if (!crawl.obeysRobots) return { pages, hasEnded: false, hasRequested: false };
    const isChecked = ({ crawled, attempt }: StoredPage) => attempt === 0 && crawled?.purpose === undefined;
    const hasRequested = await this.#learn(crawl, pages.filter(isChecked));
    const open: StoredPage[] = [];
    const denied: StoredPage[] = [];
    for (const page of pages) {
      const rules = isChecked(page) ? this.#find(crawl, new URL(page.url).origin) : undefined;
      if (!isChecked(page)) open.push(page);
      else if (rules) (this.#allows(rules, page) ? open : denied).push(page);
    }
    if (denied.length > 0) await this.#end(crawl, denied);
    return { pages: open, hasEnded: denied.length > 0, hasRequested };
  }

  #allows({ mayFetch, unreachable }: OriginRules, { url }: StoredPage): boolean {
    return unreachable === undefined && mayFetch(new URL(url));
  }

  /** Reads the rules of the pages' origins, and requests the missing ones; returns true if it requested any. */
  async #learn(crawl: GatedCrawl, pages: readonly StoredPage[]): Promise<boolean> {
    const nowMs = this.#deps.stores.clock.nowMs();
    const byOrigin = Map.groupBy(pages, ({ url }) => new URL(url).origin);
    const unknown = [...byOrigin.keys()].filter((origin) => !this.#find(crawl, origin));
    if (unknown.length === 0) return false;
    const found = await this.#deps.stores.robots.find(unknown, new Date(nowMs));
    for (const each of found) await this.#keep(crawl, each);
    const missing = unknown.filter((origin) => !this.#find(crawl, origin));
    return await this.#request(crawl, missing, byOrigin, nowMs);
  }

  /** Returns the rules of an origin. That it could not be read before the crawl was created says nothing about now. */
  #find({ createdAtMs }: GatedCrawl, origin: string): OriginRules | undefined {
    const rules = this.#rules.get(origin);
    if (!rules || rules.expiresAtMs <= this.#deps.stores.clock.nowMs()) return undefined;
    return rules.unreachable && rules.readAtMs < createdAtMs ? undefined : rules;
  }

  async #keep({ id }: GatedCrawl, { origin, robots, readAt, expiresAt }: FoundRobots): Promise<void> {
    const { rules, unreachable, crawlDelayMs = 0 } = robots;
    this.#rules.set(origin, {
      mayFetch: compileRobots({ rules }),
      unreachable,
      delayMs: Math.min(crawlDelayMs, MAX_DELAY_MS),
      readAtMs: readAt.getTime(),
      expiresAtMs: expiresAt.getTime(),
    });
    if (crawlDelayMs <= MAX_DELAY_MS) return;
    await this.#deps.stores.jobs.warnOfCrawl(id, {
      code: 'CRAWL_DELAY_CAPPED',
      message: `robots.txt of ${origin} asks for ${crawlDelayMs / 1000} seconds between pages; ${MAX_DELAY_MS / 1000} are kept.`,
    });
  }

  async #request(
    { id }: GatedCrawl,
    origins: readonly string[],
    byOrigin: ReadonlyMap<string, readonly StoredPage[]>,
    nowMs: number,
  ): Promise<boolean> {
    const due = origins.filter(
      (origin) => (this.#askedAtMs.get(`${id} ${origin}`) ?? 0) + ASK_AGAIN_MS <= nowMs,
    );
    if (due.length === 0) return false;
    for (const origin of due) this.#askedAtMs.set(`${id} ${origin}`, nowMs);
    const requested = due.flatMap((origin) => {
      const [page] = byOrigin.get(origin) ?? [];
      return page ? [robotsPageOf(page.url, page.url)] : [];
    });
    const expiresAt = new Date(nowMs + this.#deps.retentionMs + PAGE_GRACE_MS);
    await this.#deps.stores.pages.requestCrawlFiles(id, requested, expiresAt);
    return true;
  }

  /** Ends pages that may not be fetched: linked ones are skipped, start URLs fail with the reason. */
  async #end({ id }: GatedCrawl, pages: readonly StoredPage[]): Promise<void> {
    const { stores } = this.#deps;
    const at = stores.clock.now();
    const isStart = ({ crawled }: StoredPage) => crawled !== undefined && isStartUrl(crawled);
    const linked = pages.filter((page) => !isStart(page)).map((page) => page.id);
    if (linked.length > 0) {
      await stores.jobs.countSkips(id, 'robots', await stores.pages.skip(linked, 'robots', at));
    }
    for (const page of pages.filter(isStart)) {
      const failed = await stores.pages.failPages([page.id], toFailure(this.#denied(page)), at);
      const counters = { completedUrls: failed, failedUrls: failed, creditsUsed: 0 };
      // It has a result, and so counts towards the limit like a page that was fetched.
      await stores.jobs.countEnded(id, counters, { ...NO_ADDITIONS, fetched: failed, unstarted: -failed });
    }
  }

  #denied({ url }: StoredPage): AppError {
    const { origin, pathname, host } = new URL(url);
    const unreachable = this.#rules.get(origin)?.unreachable;
    if (!unreachable) {
      return new AppError('ROBOTS_DENIED', {
        message: `robots.txt of ${host} disallows ${pathname} for Gleaner.`,
      });
    }
    return new AppError('ROBOTS_DENIED', {
      message: `robots.txt of ${host} could not be read, so nothing of the site may be crawled. ${unreachable.message}`,
      suggestion: 'Try again later, or set crawl.robots to "ignore" if the site allows it.',
    });
  }
}
