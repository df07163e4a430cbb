import {
  AppError,
  type Climb,
  type Cookie,
  type Engine,
  type RungName,
  type ScrapeCommand,
  type ScrapeReply,
} from '@gleaner/contracts';
import type { ProxyPools } from '@gleaner/egress';
import type { Finding, ProxyChoice, Scrape } from '../scrape/scrape.ts';
import { chooseProxies, triedProxies } from './choose-proxies.ts';
import { decideClimb, shareMs, startingRung } from './decide-climb.ts';
import { explainBlock } from './explain-block.ts';
import type { HostMemory, Lesson } from './host-memory.ts';
import { priceOfRung, type Rung, rungsFor } from './ladder.ts';
import { keepable, withCookies } from './own-cookies.ts';

/** What climbing takes. */
export interface ClimbDeps {
  /** The rungs that this worker can stand on. */
  readonly ways: Readonly<Partial<Record<RungName, Scrape>>>;
  readonly hosts: HostMemory;
  readonly proxyPools: Pick<ProxyPools, 'states'>;
  /** Whether some worker takes what this one passes on. */
  readonly hasWorker: (engine: Engine) => Promise<boolean>;
}

/** What came of it: the reply, or that workers of the other engine must go on. */
export type Ascent =
  | { readonly kind: 'reply'; readonly reply: ScrapeReply }
  | { readonly kind: 'forward'; readonly engine: Engine; readonly climb: Climb };

/** Asks for the page from rung to rung, within the time that the signal gives, until it is there or the answer stands. */
export async function climb(command: ScrapeCommand, deps: ClimbDeps, signal: AbortSignal): Promise<Ascent> {
  const deadlineMs = Math.min(command.deadlineMs, Date.now() + command.timeoutMs);
  const remainingMs = () => (signal.aborted ? 0 : deadlineMs - Date.now());
  const reachable = await findReachable(command, deps);
  const lesson = reachable.length > 1 ? deps.hosts.recall(command) : undefined;
  const attempts = [...(command.climb?.attempts ?? [])];
  let rung: Rung | undefined = startingRung(reachable, [command.climb?.rung, lesson?.rung]);
  for (;;) {
    if (!rung) throw new AppError('INTERNAL_ERROR', { message: 'No rung is for this request.' });
    const way = deps.ways[rung.name];
    if (!way) return forward(command, { rung, attempts, lesson }, deps);
    const learned = lesson?.rung === rung.name ? lesson : undefined;
    const { finding, kept, isShareSpent } = await tryRung(way, withCookies(command, learned?.cookies ?? []), {
      shareMs: shareMs(rung, {
        rungs: withoutVain(reachable, command, attempts, deps),
        remainingMs: remainingMs(),
      }),
      proxies: chooseProxies({ rung, attempts, lastProxy: learned?.proxy }),
      signal,
    });
    attempts.push(...(finding.ok ? finding.result.attempts : finding.attempts));
    const next = decideClimb({
      rungs: withoutVain(reachable, command, attempts, deps),
      rung,
      outcome: finding.ok ? 'success' : finding.failure.code,
      isShareSpent,
      remainingMs: remainingMs(),
    });
    if (!next) {
      return { kind: 'reply', reply: conclude({ command, rung, reachable, finding, attempts, kept }, deps) };
    }
    rung = next;
  }
}

interface Passing {
  readonly rung: Rung;
  readonly attempts: Climb['attempts'];
  readonly lesson: Lesson | undefined;
}

/** Takes note that this host needs the other engine, so that the next request goes there at once. */
function forward(command: ScrapeCommand, { rung, attempts, lesson }: Passing, { hosts }: ClimbDeps): Ascent {
  if (lesson?.rung !== rung.name) hosts.learn(command, { rung: rung.name, cookies: [] });
  return { kind: 'forward', engine: rung.engine, climb: { rung: rung.name, attempts } };
}

/** Without antiBot there is one rung, and it is here: the message came by its queue. */
async function findReachable(command: ScrapeCommand, { ways, hasWorker }: ClimbDeps) {
  const rungs = rungsFor(command.request);
  const elsewhere = new Set(rungs.filter(({ name }) => !ways[name]).map(({ engine }) => engine));
  for (const engine of elsewhere) if (await hasWorker(engine)) elsewhere.delete(engine);
  return rungs.filter(({ name, engine }) => ways[name] || !elsewhere.has(engine));
}

/** Without the rung for another proxy where there is none that was not tried. */
function withoutVain(
  rungs: readonly Rung[],
  { request }: ScrapeCommand,
  attempts: Climb['attempts'],
  { proxyPools }: ClimbDeps,
): readonly Rung[] {
  if (request.proxy === undefined) return rungs;
  const tried = triedProxies(attempts);
  const isThereAnother = proxyPools
    .states()
    .some(({ country, name }) => country === request.proxy && !tried.includes(name));
  return isThereAnother ? rungs : rungs.filter(({ needsProxy }) => !needsProxy);
}

interface RungContext {
  /** Undefined where the signal alone bounds it. */
  readonly shareMs: number | undefined;
  readonly proxies: ProxyChoice;
  readonly signal: AbortSignal;
}

async function tryRung(way: Scrape, command: ScrapeCommand, { shareMs, proxies, signal }: RungContext) {
  using share = startShare(shareMs, signal);
  let kept: readonly Cookie[] = [];
  const finding = await way(command, {
    proxies,
    signal: share.signal,
    keepCookies: (cookies) => {
      kept = cookies;
    },
  });
  return { finding, kept, isShareSpent: share.signal.aborted && !signal.aborted };
}

/** The signal, which ends with a TIMEOUT when the share is spent before. */
function startShare(shareMs: number | undefined, signal: AbortSignal) {
  if (shareMs === undefined) return { signal, [Symbol.dispose]: () => {} };
  const spent = new AbortController();
  const timer = setTimeout(() => spent.abort(new AppError('TIMEOUT')), shareMs);
  return {
    signal: AbortSignal.any([signal, spent.signal]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

interface Conclusion {
  readonly command: ScrapeCommand;
  readonly rung: Rung;
  readonly reachable: readonly Rung[];
  readonly finding: Finding;
  readonly attempts: Climb['attempts'];
  readonly kept: readonly Cookie[];
}

/** The reply with all attempts and the price of the rung that worked; what there is to learn from it is learned. */
function conclude(
  { command, rung, reachable, finding, attempts, kept }: Conclusion,
  { hosts }: ClimbDeps,
): ScrapeReply {
  const { request } = command;
  if (finding.ok) {
    const cookies = keepable(kept, request);
    const isLowest = rung.name === rungsFor(request)[0]?.name;
    const proxy = attempts.at(-1)?.proxy;
    if (!isLowest || cookies.length > 0) hosts.learn(command, { rung: rung.name, cookies, proxy });
    return { ok: true, result: { ...finding.result, attempts, price: priceOfRung(rung, request) } };
  }
  if (!request.antiBot) return finding;
  if (finding.failure.code === 'BLOCKED') hosts.forget(command);
  return {
    ok: false,
    failure: explainBlock({ failure: finding.failure, attempts, rungs: reachable }),
    attempts,
  };
}
