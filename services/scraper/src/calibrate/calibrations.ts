import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted, type Verdict } from '@gleaner/contracts';
import QuickLRU from 'quick-lru';
import { isSameText, type ShownText } from './shown-text.ts';
import { familyOf } from './unknown-path.ts';

/** A page that may be another one than the request asked for. */
export interface DoubtfulPage {
  /** URL after redirects. */
  readonly url: string;
  readonly verdict: Verdict;
  /** Text of a thin page; undefined for any other, which is never in doubt. */
  readonly thinText: string | undefined;
  /** True if scripts that did not run may have much to add to it. */
  readonly mayBeShell: boolean;
}

/** Requests to the site of a page in the way in which the page was requested, without anything that the caller sent. */
export interface Visitor {
  /** Equal for visitors that a site answers alike. */
  readonly key: string;
  /** Milliseconds to wait before each request. */
  readonly pauseMs: number;
  /** Resolves with what a page with status 200 shows, '' if it is not thin; undefined for any other answer. */
  readonly readText: (url: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Resolves with the rules of the site; undefined if they cannot be read, so that nothing may be fetched. */
  readonly readRobots: (origin: string, signal: AbortSignal) => Promise<Rules | undefined>;
}

/** Rules of a robots.txt. */
export interface Rules {
  readonly isAllowed: (url: URL) => boolean;
  readonly crawlDelayMs: number;
}

/** Limits of one page's wait. */
export interface WaitLimits {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Everything that was asked of a site; each request is made once, for all pages that wait for it. */
interface Site {
  readonly startedAtMs: number;
  rules?: Promise<Rules | undefined>;
  /** Text of its start page. */
  start?: Promise<ShownText | undefined>;
  /** Texts at paths that do not exist, by the keys of their families. */
  readonly unknown: Map<string, Promise<ShownText | undefined>>;
}

const REMEMBER_MS = 600_000;
const MAX_SITES = 200;
const MAX_FAMILIES_PER_SITE = 8;
/** Time for one request, the pause before it not included. */
const REQUEST_MS = 3000;
/** Longest wait of a page; half of its time, if that is less. */
const MAX_WAIT_MS = 8000;

/**
 * Finds out how sites answer paths that do not exist, when a page looks as if it could be such an answer: robots.txt, one
 * path for each family of URLs, and the start page. Answers are remembered for ten minutes, failures too, so that however many pages
 * a job has, its sites are asked a few times.
 */
export class Calibrations {
  readonly #sites = new QuickLRU<string, Site>({ maxSize: MAX_SITES });
  readonly #stopping: AbortSignal;
  readonly #now: () => number;

  constructor(stopping: AbortSignal, now: () => number = () => performance.now()) {
    this.#stopping = stopping;
    this.#now = now;
  }

  /**
   * Returns the verdict on a page: `notFound` if its site shows the same at a path that does not exist and something else on its start
   * page, `shell` if it shows the same everywhere and scripts may have more to add, and otherwise the verdict it has. Never throws
   * for the site's sake.
   */
  async judge(page: DoubtfulPage, visitor: Visitor, { deadlineMs, signal }: WaitLimits): Promise<Verdict> {
    const { verdict, thinText, url } = page;
    if (thinText === undefined || !isInDoubt(verdict)) return verdict;
    const waitMs = Math.min(MAX_WAIT_MS, Math.floor((deadlineMs - Date.now()) / 2));
    if (waitMs <= 0) return verdict;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    try {
      return await untilAborted(this.#compare(page, { text: thinText, url }, visitor), inTime);
    } catch {
      signal.throwIfAborted();
      return verdict;
    }
  }

  async #compare(
    { verdict, mayBeShell }: DoubtfulPage,
    shown: ShownText,
    visitor: Visitor,
  ): Promise<Verdict> {
    const family = familyOf(shown.url);
    if (!family) return verdict;
    const { origin } = new URL(shown.url);
    const site = this.#siteOf(`${origin} ${visitor.key}`);
    const unknown = await this.#readUnknown(site, family, visitor);
    if (!unknown || !isSameText(shown, unknown)) return verdict;
    site.start ??= this.#read(site, `${origin}/`, visitor);
    const start = await site.start;
    if (!start) return verdict;
    const { pathname } = new URL(unknown.url);
    if (!isSameText(shown, start)) {
      const signal = { code: 'UNKNOWN_PATH' as const, evidence: `${pathname} has the same text` };
      return { page: 'notFound', basis: 'observed', signals: [signal, ...verdict.signals] };
    }
    if (!mayBeShell) return verdict;
    const signal = { code: 'SAME_EVERYWHERE' as const, evidence: `/ and ${pathname} have the same text` };
    return { page: 'shell', basis: 'observed', signals: [signal] };
  }

  #siteOf(key: string): Site {
    const known = this.#sites.get(key);
    if (known && this.#now() - known.startedAtMs < REMEMBER_MS) return known;
    const site = { startedAtMs: this.#now(), unknown: new Map() };
    this.#sites.set(key, site);
    return site;
  }

  /** Returns the text of the site at an unknown path; undefined beyond the bound of families per site. */
  #readUnknown(
    site: Site,
    { key, unknownUrl }: { readonly key: string; readonly unknownUrl: string },
    visitor: Visitor,
  ): Promise<ShownText | undefined> {
    const known = site.unknown.get(key);
    if (known) return known;
    if (site.unknown.size >= MAX_FAMILIES_PER_SITE) return Promise.resolve(undefined);
    const reading = this.#read(site, unknownUrl, visitor);
    site.unknown.set(key, reading);
    return reading;
  }

  /** Reads a page that robots.txt allows; undefined if it cannot be compared with others. */
  async #read(site: Site, url: string, visitor: Visitor): Promise<ShownText | undefined> {
    site.rules ??= this.#ask(visitor, 0, (signal) => visitor.readRobots(new URL(url).origin, signal));
    const rules = await site.rules;
    if (!rules?.isAllowed(new URL(url))) return undefined;
    const text = await this.#ask(visitor, rules.crawlDelayMs, (signal) => visitor.readText(url, signal));
    return text === undefined ? undefined : { text, url };
  }

  /** Makes one request, for all pages that wait for it: the end of one of them does not end it. */
  async #ask<Answer>(
    { pauseMs }: Visitor,
    crawlDelayMs: number,
    request: (signal: AbortSignal) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    const waitMs = Math.max(pauseMs, crawlDelayMs);
    if (waitMs > MAX_WAIT_MS) return undefined;
    try {
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.#stopping });
      const signal = AbortSignal.any([this.#stopping, AbortSignal.timeout(REQUEST_MS)]);
      return await untilAborted(request(signal), signal);
    } catch {
      return undefined;
    }
  }
}

/** Returns true if a verdict is a guess that an answer to a path that does not exist may overrule. */
function isInDoubt({ page, basis }: Verdict): boolean {
  return basis === 'inferred' && (page === 'content' || page === 'notFound');
}
