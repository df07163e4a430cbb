import {
  AppError,
  type Climb,
  type Cookie,
  defined,
  type Engine,
  hasCredentials,
  type RungName,
  type ScrapeRequest,
  storedAttempts,
  type TracedAttempt,
  type Warning,
} from '@gleaner/contracts';
import type { ProxyPools } from '@gleaner/egress';
import type { Finding, ProxyChoice, Scrape, ScrapeTask, TaskReply } from '../scrape/scrape.ts';
import { chooseProxies, triedProxies } from './choose-proxies.ts';
import { decideClimb, explainBlock, shareMs, startingRung } from './decide-climb.ts';
import type { HostMemory, HostRecord } from './host-memory.ts';
import { leastPriceBeyond, priceOfRung, type Rung, rungsFor } from './ladder.ts';

/** Dependencies of `climb`. */
export interface ClimbDeps {
  /** Scrape function of each rung, for the rungs of this process's engines. */
  readonly scrapes: Readonly<Partial<Record<RungName, Scrape>>>;
  readonly hosts: HostMemory;
  readonly proxyPools: Pick<ProxyPools, 'states'>;
  /** Tells whether some worker takes scrapes of an engine. */
  readonly hasWorker: (engine: Engine) => Promise<boolean>;
}

/** Result of a climb: the reply, or that workers of the other engine must continue. */
export type ClimbOutcome =
  | { readonly kind: 'reply'; readonly reply: TaskReply }
  | { readonly kind: 'forward'; readonly engine: Engine; readonly climb: Climb };

/** Scrapes the page of a command rung by rung, until one brings it, the failure is final or the time is over. */
export async function climb(
  command: ScrapeTask,
  deps: ClimbDeps,
  signal: AbortSignal,
): Promise<ClimbOutcome> {
  const climbing = new Climbing(command, deps, await findReachable(command, deps));
  for (;;) {
    const scrape = deps.scrapes[climbing.rung.name];
    if (!scrape) return climbing.forward();
    const { shareMs, deadlineMs, proxies } = climbing;
    using share = startShare(shareMs, signal);
    const finding = await scrape(climbing.command, {
      signal: share.signal,
      deadlineMs: Math.min(deadlineMs, Date.now() + (shareMs ?? Number.POSITIVE_INFINITY)),
      proxies,
    });
    if (!climbing.goesOn(finding, { isShareSpent: share.signal.aborted && !signal.aborted, signal })) {
      return { kind: 'reply', reply: climbing.finish(finding) };
    }
  }
}

/** Finds the rungs that this process or another worker serves. */
async function findReachable(
  command: ScrapeTask,
  { scrapes, hasWorker }: ClimbDeps,
): Promise<readonly Rung[]> {
  const rungs = rungsFor(command.request);
  const unreachable = new Set(rungs.filter(({ name }) => !scrapes[name]).map(({ engine }) => engine));
  for (const engine of unreachable) if (await hasWorker(engine)) unreachable.delete(engine);
  const reachable = rungs.filter(({ name, engine }) => scrapes[name] || !unreachable.has(engine));
  // Without any, the page waits for a worker.
  return reachable.length > 0 ? reachable : rungs;
}

/** State of one climb: the current rung, and the attempts so far. */
class Climbing {
  readonly #command: ScrapeTask;
  readonly #deps: ClimbDeps;
  readonly #reachable: readonly Rung[];
  #attempts: TracedAttempt[];
  readonly #record: HostRecord | undefined;
  readonly #deadlineMs: number;
  #rung: Rung;

  constructor(command: ScrapeTask, deps: ClimbDeps, reachable: readonly Rung[]) {
    this.#command = command;
    this.#deps = deps;
    this.#reachable = reachable;
    this.#attempts = [...(command.climb?.attempts ?? [])];
    this.#record = reachable.length > 1 ? deps.hosts.recall(command) : undefined;
    this.#deadlineMs = Math.min(command.deadlineMs, Date.now() + command.timeoutMs);
    const rung = startingRung(reachable, [command.climb?.rung, this.#record?.rung]);
    if (!rung) throw new AppError('INTERNAL_ERROR', { message: 'No rung serves this request.' });
    this.#rung = rung;
  }

  get rung(): Rung {
    return this.#rung;
  }

  /** The command for the current rung, with the cookies that are remembered for it. */
  get command(): ScrapeTask {
    return withCookies(this.#command, this.#ownRecord?.cookies ?? []);
  }

  /** Milliseconds since 1970 at which the time of the command is over. */
  get deadlineMs(): number {
    return this.#deadlineMs;
  }

  /** Choice of proxies for the current rung. */
  get proxies(): ProxyChoice {
    const [rung, attempts] = [this.#rung, this.#attempts];
    return chooseProxies({ rung, attempts, lastProxy: this.#ownRecord?.proxy });
  }

  /** Time that the current rung may take; undefined when only the deadline bounds it. */
  get shareMs(): number | undefined {
    if (!this.#command.request.antiBot) return undefined;
    return shareMs(this.#rung, {
      rungs: this.#worthwhileRungs(),
      remainingMs: this.#deadlineMs - Date.now(),
    });
  }

  /** Records the attempts of the current rung and moves to the next one. Returns false when the finding is final. */
  goesOn(
    finding: Finding,
    { isShareSpent, signal }: { readonly isShareSpent: boolean; readonly signal: AbortSignal },
  ): boolean {
    const attempts = finding.ok ? finding.result.attempts : finding.attempts;
    const rung = this.#command.request.antiBot && { rung: this.#rung.name };
    this.#attempts = [...storedAttempts(this.#attempts), ...attempts.map((each) => ({ ...each, ...rung }))];
    const isSpent = !finding.ok && finding.wasSent;
    const next = isSpent
      ? undefined
      : decideClimb({
          rungs: this.#worthwhileRungs(),
          rung: this.#rung,
          request: this.#command.request,
          outcome: outcomeOf(finding),
          isShareSpent,
          remainingMs: signal.aborted ? 0 : this.#deadlineMs - Date.now(),
        });
    if (next) this.#rung = next;
    return next !== undefined;
  }

  /** Leaves the current rung to the other engine, and remembers that this host needs it. */
  forward(): ClimbOutcome {
    const { name, engine } = this.#rung;
    if (this.#record?.rung !== name) this.#deps.hosts.learn(this.#command, { rung: name, cookies: [] });
    return { kind: 'forward', engine, climb: { rung: name, attempts: this.#attempts } };
  }

  /** Returns the reply with all attempts and the price of the current rung, and remembers the rung for the host. */
  finish(finding: Finding): TaskReply {
    const { hosts } = this.#deps;
    const { request } = this.#command;
    const [command, rung, attempts] = [this.#command, this.#rung, this.#attempts];
    if (finding.ok) {
      const cookies = cookiesToRemember(finding.cookies ?? [], request);
      const isLowest = rung.name === rungsFor(request)[0]?.name;
      const proxy = attempts.at(-1)?.proxy;
      if (!isLowest || cookies.length > 0) hosts.learn(command, { rung: rung.name, cookies, proxy });
      const { llmCredits: llm, ...result } = finding.result;
      const price = { ...priceOfRung(rung, request, result), ...defined({ llm }) };
      const warnings = [...result.warnings, ...this.#remembered()];
      return { ok: true, result: { ...result, attempts, price, warnings } };
    }
    if (!request.antiBot) return { ...finding, attempts };
    if (finding.failure.code === 'BLOCKED') hosts.forget(command);
    const failure = explainBlock({
      failure: finding.failure,
      attempts,
      rungs: this.#reachable,
      priceBeyond: leastPriceBeyond(request),
    });
    return { ...finding, failure, attempts };
  }

  /** Warns that a page was rendered without a look at it, because an earlier one of its host needed that, in a list. */
  #remembered(): readonly Warning[] {
    const { render, url } = this.#command.request;
    const isChoice = render === 'auto' && this.#reachable.some(({ engine }) => engine === 'http');
    if (!isChoice || this.#attempts.some(({ engine }) => engine === 'http')) return [];
    const host = URL.parse(url)?.host ?? url;
    const message = `The page was rendered at once, because an earlier page of ${host} needed a browser; "render": false fetches it without one.`;
    return [{ code: 'RENDER_REMEMBERED', message }];
  }

  /** The record of the host, if it is about the current rung. */
  get #ownRecord(): HostRecord | undefined {
    return this.#record?.rung === this.#rung.name ? this.#record : undefined;
  }

  /** The reachable rungs, without the one for another proxy when every proxy of the country was tried. */
  #worthwhileRungs(): readonly Rung[] {
    const { proxy: country } = this.#command.request;
    if (country === undefined) return this.#reachable;
    const tried = triedProxies(this.#attempts);
    const hasAnother = this.#deps.proxyPools
      .states()
      .some((state) => state.country === country && !tried.includes(state.name));
    return hasAnother ? this.#reachable : this.#reachable.filter(({ needsProxy }) => !needsProxy);
  }
}

function outcomeOf(finding: Finding) {
  if (!finding.ok) return finding.failure.verdict === 'shell' ? 'shell' : finding.failure.code;
  return finding.result.verdict?.page === 'shell' ? 'shell' : 'success';
}

/** Starts a rung's share of the time: a signal that also aborts, with a TIMEOUT, when the share is spent. */
function startShare(ms: number | undefined, signal: AbortSignal) {
  if (ms === undefined) return { signal, [Symbol.dispose]: () => {} };
  const spent = new AbortController();
  const timer = setTimeout(() => spent.abort(new AppError('TIMEOUT')), ms);
  return {
    signal: AbortSignal.any([signal, spent.signal]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Returns the command with remembered cookies; unchanged without any, or when the caller brings a session. */
function withCookies(command: ScrapeTask, cookies: readonly Cookie[]): ScrapeTask {
  if (cookies.length === 0 || hasCredentials(command.request)) return command;
  return { ...command, request: { ...command.request, cookies: [...cookies] } };
}

/** Most cookies that are remembered for a host. */
const MAX_COOKIES = 50;

/** Returns the cookies of the page's host that may be remembered; none of a caller's session. */
function cookiesToRemember(cookies: readonly Cookie[], request: ScrapeRequest): readonly Cookie[] {
  if (cookies.length === 0 || hasCredentials(request)) return [];
  const { hostname } = new URL(request.url);
  const isOfHost = ({ domain = hostname }: Cookie) => {
    const bare = domain.replace(/^\./, '');
    return hostname === bare || hostname.endsWith(`.${bare}`);
  };
  return cookies.filter(isOfHost).slice(0, MAX_COOKIES);
}
