import { createHash } from 'node:crypto';
import {
  AppError,
  defined,
  type Engine,
  type Failure,
  mayRepeat,
  type ScrapeCommand,
  type StepScreenshots,
  storedAttempts,
  type TracedAction,
  type TracedAttempt,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import {
  explainMissingProxies,
  isWorthAnotherProxy,
  type ProxyLease,
  type ProxyPools,
  startStageClock,
} from '@gleaner/egress';
import type { Logger } from '@gleaner/service-kit';
import type { Attempt } from './page.ts';
import type { ProxyChoice } from './scrape.ts';

/** Dependencies of `Attempts`. */
export interface AttemptsDeps {
  readonly engine: Engine;
  readonly proxyPools: ProxyPools;
  readonly proxies: ProxyChoice;
  readonly logger: Pick<Logger, 'error'>;
}

/** Result of all attempts: what the last one brought, or why it failed. */
export type AttemptsOutcome<Success> =
  | { readonly ok: true; readonly success: Success; readonly attempts: readonly TracedAttempt[] }
  | {
      readonly ok: false;
      readonly wasSent: boolean;
      readonly failure: Failure;
      readonly error: AppError;
      readonly attempts: readonly TracedAttempt[];
    };

/** A request that has met this many failing proxies has waited long enough. */
const MAX_PROXIES = 3;

/**
 * The attempts at the page of one command: iterate over the routes, attempt the page by each and report the outcome.
 * There is one direct route; or one proxy of the request's country after the other, as long as the proxy fails.
 *
 *     for (const { route } of attempts) {
 *       try { attempts.succeeded(await fetch(route)) } catch (error) { attempts.failed(error) }
 *     }
 *     return attempts.outcome;
 */
export class Attempts<Success> implements Iterable<Attempt> {
  readonly #command: ScrapeCommand;
  readonly #deps: AttemptsDeps;
  #attempts: TracedAttempt[] = [];
  #lease: ProxyLease | undefined;
  #startedAtMs = 0;
  #clock = startStageClock();
  #actions: TracedAction[] = [];
  #stepScreenshots: StepScreenshots = [];
  #success: { readonly value: Success } | undefined;
  #error: AppError | undefined;
  #wasSent = false;

  constructor(command: ScrapeCommand, deps: AttemptsDeps) {
    this.#command = command;
    this.#deps = deps;
  }

  /** Yields one attempt after the other. */
  *[Symbol.iterator](): Generator<Attempt> {
    do {
      if (!this.#takeLease()) return;
      this.#startedAtMs = Date.now();
      this.#clock = startStageClock();
      this.#actions = [];
      // Only the last attempt is looked at.
      this.#stepScreenshots = [];
      this.#attempts = storedAttempts(this.#attempts);
      yield {
        route: this.#lease?.route,
        proxy: this.#lease?.name,
        clock: this.#clock,
        actions: this.#actions,
        stepScreenshots: this.#stepScreenshots,
        noteSent: () => this.#noteSent(),
      };
    } while (this.#isProxyToBlame());
  }

  /** Records that the request may have been sent: an unrepeatable one has no other attempt. */
  #noteSent(): void {
    this.#wasSent = !mayRepeat(this.#command.request);
  }

  /** Records what the current attempt brought, with the status of the target. */
  succeeded(success: Success, statusCode: number): void {
    this.#lease?.succeeded();
    this.#success = { value: success };
    this.#attempts.push(this.#describe('success', statusCode));
  }

  /** Records why the current attempt failed; internal errors are logged. */
  failed(thrown: unknown): void {
    this.#lease?.failed(thrown);
    const error = toAppError(thrown);
    if (error.code === 'INTERNAL_ERROR') {
      const { requestId } = this.#command;
      this.#deps.logger.error({ err: thrown, requestId }, 'An attempt to scrape a page failed.');
    }
    this.#error = error;
    this.#attempts.push(this.#describe(error.code, error.targetStatusCode));
  }

  /** The result of all attempts. */
  get outcome(): AttemptsOutcome<Success> {
    const attempts = this.#attempts;
    if (this.#success) return { ok: true, success: this.#success.value, attempts };
    const error = this.#error ?? this.#noProxies();
    const failure = describeFailure(error, attempts);
    return { ok: false, wasSent: this.#wasSent, failure, error, attempts };
  }

  /** Leases the next proxy of the request's country. Returns false when there is none left. */
  #takeLease(): boolean {
    const { proxy: country, url } = this.#command.request;
    if (country === undefined) return true;
    const { proxyPools, proxies } = this.#deps;
    const except = [...proxies.except, ...this.#attempts.flatMap(({ proxy }) => proxy ?? [])];
    const target = URL.parse(url)?.host ?? '';
    const prefer = this.#proxyOfProfile(country) ?? proxies.prefer;
    this.#lease = proxyPools.lease(country, { target, except, prefer });
    return this.#lease !== undefined;
  }

  /** Returns the proxy that all pages of a profile go through, in every scraper that has the same proxies. */
  #proxyOfProfile(country: string): string | undefined {
    const { profile } = this.#command;
    if (!profile) return undefined;
    const names = this.#deps.proxyPools
      .states()
      .flatMap((each) => (each.country === country ? each.name : []));
    const rankOf = (name: string) => createHash('sha256').update(`${profile.id} ${name}`).digest('hex');
    return names.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))[0];
  }

  #isProxyToBlame(): boolean {
    if (!this.#lease || this.#success || !this.#error || this.#wasSent) return false;
    // A session stays with the proxy that it began at.
    if (this.#command.profile?.state !== undefined) return false;
    return this.#attempts.length < MAX_PROXIES && isWorthAnotherProxy(this.#error);
  }

  #describe(outcome: TracedAttempt['outcome'], statusCode: number | undefined): TracedAttempt {
    const proxy = this.#lease?.name;
    const { totalMs, ...stages } = this.#clock.timings();
    return {
      engine: this.#deps.engine,
      ...defined({ proxy, statusCode }),
      outcome,
      durationMs: totalMs,
      startedAtMs: this.#startedAtMs,
      stages,
      ...(this.#actions.length > 0 && { actions: this.#actions }),
      ...(this.#stepScreenshots.length > 0 && { stepScreenshots: this.#stepScreenshots }),
    };
  }

  #noProxies(): AppError {
    const message = explainMissingProxies(this.#deps.proxyPools.countries);
    return new AppError('INVALID_REQUEST', {
      message: `proxy ${message}.`,
      details: [{ path: 'proxy', message }],
    });
  }
}

/** Returns the last failure, with the number of proxies if there were several. */
function describeFailure(error: AppError, attempts: readonly TracedAttempt[]): Failure {
  const failure = toFailure(error);
  if (attempts.length <= 1) return failure;
  return { ...failure, message: `${attempts.length} proxies failed; the last one: ${failure.message}` };
}
