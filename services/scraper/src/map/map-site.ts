import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CrawlFindings,
  defined,
  type Failure,
  fromFailure,
  isStrain,
  LIMITS,
  type MapCommand,
  type MapReply,
  type MapSource,
  type SitemapFound,
} from '@gleaner/contracts';
import { compileRobots, type RobotsMatcher } from '@gleaner/frontier';
import type { CrawlFileOutcome } from '../scrape/fetch-crawl-file.ts';
import type { Finding, Scrape } from '../scrape/scrape.ts';
import type { CrawlFileTask } from '../scrape/stages/crawl-file.ts';
import { type KnownUrl, MappedSite, type MapTerms, mapTermsOf } from './mapped-site.ts';

/** Dependencies of a map. */
export interface MapDeps {
  /** Fetches a page without a browser. */
  readonly scrape: Scrape;
  /** Fetches a robots.txt or a sitemap. */
  readonly fetchFile: (task: CrawlFileTask, signal: AbortSignal) => Promise<CrawlFileOutcome>;
}

/** Time that is kept for the reply, as a part of the whole and at most. */
const REPLY_SHARE = 0.1;
const MAX_REPLY_MS = 2000;
/** Time for one page or file. */
const FETCH_MS = 20_000;
/** Pages in flight, as in a crawl; and sitemaps. */
const PAGES_AT_ONCE = 4;
const SITEMAPS_AT_ONCE = 2;
/** Levels of sitemaps below robots.txt, as in a crawl, and files of all of them. */
const MAX_SITEMAP_LEVEL = 3;
const MAX_SITEMAPS = 200;
/** Most requests for pages, including redirects and failures, which are not charged. */
const MAX_REQUESTS = 2 * LIMITS.maxMapPages;
/** The longest Crawl-delay that is obeyed, as in a crawl. */
const MAX_DELAY_MS = 30_000;

/**
 * Lists the URLs of a site: reads the start page, then its sitemaps, then the pages that both name. What was found is returned when the
 * time or another bound is over. Throws the error of the start page if there is nothing else.
 */
export async function mapSite(
  command: MapCommand,
  { endsAtMs, ...deps }: MapDeps & { readonly endsAtMs: number },
  signal: AbortSignal,
): Promise<MapReply> {
  const terms = mapTermsOf(command.request);
  const untilMs = endsAtMs - Math.min(MAX_REPLY_MS, command.timeoutMs * REPLY_SHARE);
  // The map ends before the deadline of any page, so a page that is cut off by its end does not count as failed.
  const timeUp = AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - Date.now())));
  const ended = new AbortController();
  const site = new MappedSite(terms);
  const reading = new MapReading(
    { site, terms, command, deps },
    { endsAtMs, signal: AbortSignal.any([signal, timeUp, ended.signal]) },
  );
  try {
    await reading.run();
  } catch (error) {
    signal.throwIfAborted();
    if (!timeUp.aborted) throw error;
    site.stop('timeout');
  } finally {
    ended.abort();
  }
  const result = site.result();
  if (site.startFailure && result.reason !== undefined && result.urls.length <= 1)
    throw fromFailure(site.startFailure);
  return { mapJson: JSON.stringify(result), pages: reading.pages };
}

/** The map that is made. */
interface MapContext {
  readonly site: MappedSite;
  readonly terms: MapTerms;
  readonly command: MapCommand;
  readonly deps: MapDeps;
}

/** Rules of one origin. */
interface OriginRules {
  readonly mayFetch: RobotsMatcher;
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
  /** Why robots.txt could not be read, so that nothing of the site may be. */
  readonly unreachable?: Failure;
}

const NO_RULES: OriginRules = { mayFetch: () => true, delayMs: 0, sitemaps: [] };

/** Reads the files and pages of a map. */
class MapReading {
  /** Pages that were read. */
  pages = 0;
  readonly #context: MapContext;
  readonly #endsAtMs: number;
  readonly #signal: AbortSignal;
  readonly #rules = new Map<string, Promise<OriginRules>>();
  /** Ends of the latest turns of hosts that ask for a delay. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #busyHosts = new Set<string>();
  #requests = 0;
  #inFlight = 0;

  constructor(
    context: MapContext,
    { endsAtMs, signal }: { readonly endsAtMs: number; readonly signal: AbortSignal },
  ) {
    this.#context = context;
    this.#endsAtMs = endsAtMs;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { depth, sitemap } = this.#context.terms;
    if (depth > 0) await this.#readPages(0);
    if (sitemap !== 'skip') await this.#readSitemaps();
    if (depth > 1) await this.#readPages(1);
  }

  /** Reads the pages of a depth, and the targets of their redirects. */
  async #readPages(depth: number): Promise<void> {
    const { site } = this.#context;
    for (let due = [...site.undone(depth)]; due.length > 0; due = [...site.undone(depth)]) {
      due.reverse();
      const work = async () => {
        for (let known = due.pop(); known; known = due.pop()) await this.#readPage(known);
      };
      await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work));
    }
  }

  async #readPage(known: KnownUrl): Promise<void> {
    const { site, deps } = this.#context;
    known.isDone = true;
    if (site.isFull) return;
    const url = new URL(known.url);
    const rules = await this.#rulesOf(url.origin);
    if (!rules.mayFetch(url)) return this.#noteDenied(known, rules);
    if (this.#busyHosts.has(url.host) || !this.#mayRequest()) return;
    const deadlineMs = Math.min(this.#endsAtMs, Date.now() + FETCH_MS + rules.delayMs * PAGES_AT_ONCE);
    const task = {
      ...this.#taskFor(known.url, deadlineMs),
      request: { url: known.url, selectors: { title: 'title' } },
      crawl: { purpose: 'page' as const, filter: site.filter, follow: true, describes: true },
      pauseMs: rules.delayMs,
    };
    const context = { signal: this.#signal, deadlineMs, proxies: { except: [] } };
    this.#requests += 1;
    this.#inFlight += 1;
    const finding = await this.#inTurn(url.host, rules.delayMs, () => deps.scrape(task, context)).finally(
      () => {
        this.#inFlight -= 1;
      },
    );
    if (finding.ok) this.pages += 1;
    this.#signal.throwIfAborted();
    this.#note(known, finding);
  }

  /** Returns whether another page may be requested, and otherwise records why not. */
  #mayRequest(): boolean {
    const { site, terms } = this.#context;
    const most = Math.min(terms.maxCredits, LIMITS.maxMapPages);
    if (this.pages + this.#inFlight < most && this.#requests < MAX_REQUESTS) return true;
    site.stop(
      terms.maxCredits < LIMITS.maxMapPages && this.#requests < MAX_REQUESTS ? 'maxCredits' : 'pages',
    );
    return false;
  }

  #noteDenied(known: KnownUrl, { unreachable }: OriginRules): void {
    const { site } = this.#context;
    if (known.depth > 0) return;
    const { host, pathname } = new URL(known.url);
    const message = unreachable
      ? `robots.txt of ${host} could not be read, so no page of the site may be. ${unreachable.message}`
      : `robots.txt of ${host} disallows ${pathname} for Gleaner.`;
    site.sources.push({ kind: 'page', url: known.url, found: 0, error: { code: 'ROBOTS_DENIED', message } });
  }

  #note(known: KnownUrl, finding: Finding): void {
    const { site } = this.#context;
    const source = { kind: 'page' as const, url: known.url };
    if (finding.ok) {
      const { crawl, verdict, dataJson } = finding.result;
      const title = titleOf(dataJson);
      if (title !== undefined) known.text = title;
      site.sources.push({
        ...source,
        ...countsOf(crawl),
        ...(verdict && verdict.page !== 'content' && { verdict: verdict.page }),
      });
      if (crawl) site.addLinks(crawl.links, { depth: known.depth + 1, foundOn: known.url });
      if (crawl?.cutBecause !== undefined) site.noteCut();
      return;
    }
    const { noPage, failure } = finding;
    if (noPage?.kind === 'notDocument' && known.depth > 0) return;
    if (noPage?.kind === 'redirected') {
      const target = new URL(noPage.url);
      site.sources.push({ ...source, found: 0, redirectsTo: target.href });
      site.leaveOut(known);
      if (known.depth === 0) site.addStart(target);
      else site.addTarget(target, known);
      return;
    }
    this.#noteFailure(known, failure);
  }

  #noteFailure(known: KnownUrl, failure: Failure): void {
    const { site } = this.#context;
    const { code, message } = failure;
    site.sources.push({ kind: 'page', url: known.url, found: 0, error: { code, message } });
    if (known.depth === 0) site.startFailure = failure;
    const isGone = code === 'NOT_FOUND' && known.depth > 0;
    if (isGone) site.leaveOut(known);
    else site.noteCut();
    if (!isStrain(failure)) return;
    this.#busyHosts.add(new URL(known.url).host);
    site.stop('busy');
  }

  /** Reads the sitemaps of the start page's sites, and the sitemaps named there. */
  async #readSitemaps(): Promise<void> {
    const { site } = this.#context;
    const known = new Set<string>();
    let due: SitemapAt[] = [];
    for (const origin of site.origins) {
      const { sitemaps, unreachable } = await this.#rulesOf(origin);
      const guess = unreachable ? [] : [{ url: `${origin}/sitemap.xml`, isGuess: true }];
      due.push(...(sitemaps.length > 0 ? sitemaps.map((url) => ({ url, isGuess: false })) : guess));
    }
    for (let level = 1; level <= MAX_SITEMAP_LEVEL && due.length > 0; level += 1) {
      const next: SitemapAt[] = [];
      const fresh = due.filter(({ url }) => !known.has(url) && known.add(url));
      for (let at = 0; at < fresh.length && !site.isFull; at += SITEMAPS_AT_ONCE) {
        if (known.size - fresh.length + at >= MAX_SITEMAPS) return site.stop('sitemaps');
        const group = fresh.slice(at, at + SITEMAPS_AT_ONCE);
        const outcomes = await Promise.all(group.map(({ url }) => this.#fetch('sitemap', url)));
        for (const [index, sitemap] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome) next.push(...this.#noteSitemap(sitemap, outcome));
        }
      }
      due = next;
    }
  }

  /** Adds the pages of a sitemap, and returns the sitemaps that it names. */
  #noteSitemap({ url, isGuess }: SitemapAt, outcome: CrawlFileOutcome): readonly SitemapAt[] {
    const { site } = this.#context;
    if (outcome.kind === 'sitemap') {
      site.sources.push({ kind: 'sitemap', url, ...countsOf(outcome) });
      site.addLinks(outcome.links, { depth: 1, foundOn: url });
      if (outcome.cutBecause !== undefined) site.noteCut();
      return outcome.sitemaps.map((each) => ({ url: each, isGuess: false }));
    }
    if (outcome.kind !== 'failed') return [];
    const { code } = outcome.failure;
    const isAbsent = isGuess && (code === 'NOT_FOUND' || code === 'UNSUPPORTED_CONTENT');
    const message = isAbsent ? `There is no sitemap at ${url}.` : outcome.failure.message;
    site.sources.push({ kind: 'sitemap', url, found: 0, error: { code, message } });
    if (!isAbsent) site.noteCut();
    return [];
  }

  /** Returns the rules of an origin, which are read once. */
  #rulesOf(origin: string): Promise<OriginRules> {
    const { robots, sitemap } = this.#context.terms;
    if (robots === 'ignore' && sitemap === 'skip') return Promise.resolve(NO_RULES);
    const known = this.#rules.get(origin);
    if (known) return known;
    const reading = this.#readRules(origin);
    reading.catch(() => {});
    this.#rules.set(origin, reading);
    return reading;
  }

  async #readRules(origin: string): Promise<OriginRules> {
    const { site, terms } = this.#context;
    const url = `${origin}/robots.txt`;
    const outcome = await this.#fetch('robots', url);
    const isObeyed = terms.robots === 'obey';
    if (outcome.kind === 'robots') {
      const { rules, sitemaps, crawlDelayMs = 0 } = outcome;
      site.sources.push({ kind: 'robots', url, found: sitemaps.length });
      if (!isObeyed) return { ...NO_RULES, sitemaps };
      return { mayFetch: compileRobots({ rules }), delayMs: Math.min(crawlDelayMs, MAX_DELAY_MS), sitemaps };
    }
    if (outcome.kind !== 'failed') return NO_RULES;
    const { code, message } = outcome.failure;
    site.sources.push({ kind: 'robots', url, found: 0, error: { code, message } });
    site.noteCut();
    return isObeyed ? { ...NO_RULES, mayFetch: () => false, unreachable: outcome.failure } : NO_RULES;
  }

  /** Fetches a file in the turn of its host. */
  async #fetch(purpose: 'robots' | 'sitemap', url: string): Promise<CrawlFileOutcome> {
    const { site, deps } = this.#context;
    const { host, origin } = new URL(url);
    const rules = purpose === 'sitemap' ? await this.#rules.get(origin) : undefined;
    const crawl = { purpose, filter: site.filter, follow: false, describes: true };
    const outcome = await this.#inTurn(host, rules?.delayMs ?? 0, () => {
      const task = { ...this.#taskFor(url, Math.min(this.#endsAtMs, Date.now() + FETCH_MS)), crawl };
      return deps.fetchFile(task, this.#signal);
    });
    this.#signal.throwIfAborted();
    return outcome;
  }

  #taskFor(url: string, deadlineMs: number) {
    const { requestId, accountId } = this.#context.command;
    return {
      requestId,
      accountId,
      deadlineMs,
      timeoutMs: Math.max(1, deadlineMs - Date.now()),
      request: { url },
    };
  }

  /** Does something that requests a host: where it asks for a delay, one at a time, with the delay after each. */
  async #inTurn<Result>(host: string, delayMs: number, work: () => Promise<Result>): Promise<Result> {
    if (delayMs === 0) return await work();
    const before = this.#turns.get(host) ?? Promise.resolve();
    const turn = before.then(() => {
      this.#signal.throwIfAborted();
      return work();
    });
    const rest = () => sleep(delayMs, undefined, { signal: this.#signal });
    this.#turns.set(
      host,
      turn.then(rest, rest).catch(() => {}),
    );
    return await turn;
  }
}

/** A sitemap to read; a guess is one that nothing names. */
interface SitemapAt {
  readonly url: string;
  readonly isGuess: boolean;
}

type Found = Pick<CrawlFindings & SitemapFound, 'links' | 'dropped' | 'cutBecause'>;

function countsOf(found: Found | undefined): Omit<MapSource, 'kind' | 'url'> {
  const { links = [], dropped = {}, cutBecause } = found ?? {};
  const { outOfScope, excluded, nofollow, trap } = dropped;
  return {
    found: links.length,
    ...(outOfScope && { outOfScope }),
    ...(excluded && { excluded }),
    ...(nofollow && { nofollow }),
    ...(trap && { trap }),
    ...defined({ cutBecause }),
  };
}

function titleOf(dataJson: string | undefined): string | undefined {
  const { title }: { title?: string | null } = dataJson === undefined ? {} : JSON.parse(dataJson);
  return title ? title.slice(0, 200) : undefined;
}
