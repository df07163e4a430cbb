import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Broker, isUnconfirmed } from '@gleaner/broker';
import {
  AppError,
  backoffMs,
  type ErrorCode,
  type ScrapeReply,
  toAppError,
  totalCredits,
  worstPriceOf,
} from '@gleaner/contracts';
import { type Logger, repeatAtIntervals } from '@gleaner/service-kit';
import type { StoredProfile, Stores } from '@gleaner/storage';
import { sealedSecretsOf } from '../dispatch/find-facts.ts';

/** Collaborators of logins. */
export interface LoginDeps {
  readonly stores: Pick<Stores, 'clock' | 'profiles' | 'secrets' | 'accounts' | 'credits'>;
  readonly broker: Pick<Broker, 'request'>;
  readonly logger: Logger;
  /** Called when the pages of a profile may go out, or have nothing to wait for any more. */
  readonly onDone: () => void;
}

const LOOK_MS = 250;
/** Logins of one process at once, and those of one account among them. */
const AT_ONCE = 8;
const AT_ONCE_PER_ACCOUNT = 2;
const LOGIN_MS = 45_000;
/** Time after the login in which its reply may still come and be stored; another process takes the login after it. */
const GRACE_MS = 5000;
const STORE_AGAIN_MS = 500;
/** Time that logins have to end when the process stops. */
const STOP_WITHIN_MS = 10_000;
/** Attempts at a login that may fail on the way to the site. */
const MAX_FAILURES = 5;
/** Processes in a row that may die, or lose their connection, during a login. */
const MAX_INTERRUPTIONS = 10;
/** Time during which outages of Gleaner itself do not count as failed attempts. */
const MAX_OUTAGE_MS = 900_000;
const RETRY_DELAYS = { firstMs: 1000, jitter: 'half' } as const;

/** Errors of the way to the site, which say nothing of the login. A form that has changed, or a password that is wrong, is not tried again. */
const MAY_PASS: ReadonlySet<ErrorCode> = new Set([
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
  'TIMEOUT',
  'UPSTREAM_ERROR',
  'PROXY_ERROR',
  'RATE_LIMITED',
]);

/**
 * Does the logins that are wanted, each by one process at a time, as work for a scraper. Returns a function that stops it. A
 * process that dies leaves its login to another one.
 */
export function startLogins(deps: LoginDeps): () => Promise<void> {
  /** Accounts of the logins that are under way. */
  const running = new Map<Promise<void>, string>();
  const stopping = new AbortController();
  const stopLooking = repeatAtIntervals((signal) => takeLogins(running, signal), {
    intervalMs: LOOK_MS,
    logger: deps.logger,
    onFailure: 'Logins of profiles were not looked for; this is tried again in a moment.',
  });

  async function takeLogins(all: Map<Promise<void>, string>, signal: AbortSignal): Promise<void> {
    const { clock, profiles } = deps.stores;
    while (all.size < AT_ONCE && !signal.aborted) {
      const loginId = randomUUID();
      const counts = Map.groupBy(all.values(), (accountId) => accountId);
      const except = [...counts].flatMap(([id, { length }]) => (length < AT_ONCE_PER_ACCOUNT ? [] : [id]));
      const until = new Date(clock.nowMs() + LOGIN_MS + GRACE_MS);
      const profile = await profiles.takeLogin(loginId, { now: clock.now(), until, except });
      if (!profile) return;
      const login = signIn({ profile, loginId, untilMs: until.getTime() }, stopping.signal, deps)
        .catch((err: unknown) => deps.logger.warn({ err, profileId: profile.id }, INTERRUPTED))
        .finally(() => all.delete(login));
      all.set(login, profile.accountId);
    }
  }

  return async () => {
    await stopLooking();
    const timer = setTimeout(() => stopping.abort(), STOP_WITHIN_MS);
    await Promise.all(running.keys());
    clearTimeout(timer);
  };
}

const INTERRUPTED =
  'A login of a profile was interrupted; it is done again once it can no longer be under way.';

const POSTPONED = 'A login of a profile did not get through; it is tried again after a delay.';

/** A login that this process has taken. */
interface Login {
  readonly profile: StoredProfile;
  readonly loginId: string;
  /** Time at which another process takes it. */
  readonly untilMs: number;
}

/**
 * Does one login: hold credits → ask a scraper → store the session → charge. Where a scraper may still be signing in, the login
 * is left until it cannot be any more: two that overlap would end each other's session at many sites.
 */
async function signIn(login: Login, signal: AbortSignal, deps: LoginDeps): Promise<void> {
  const { clock, profiles } = deps.stores;
  const { profile, loginId } = login;
  const taken = { profileId: profile.id, loginId };
  const wantedAtMs = profile.updatedAt.getTime();
  const { loginTakes = 1, loginFailures = 0 } = profile;
  try {
    if (loginTakes > MAX_INTERRUPTIONS)
      throw new AppError('PROFILE_EXPIRED', { message: `${MAX_INTERRUPTIONS} logins were interrupted.` });
    const held = await hold(profile, loginId, deps);
    try {
      const reply = await ask(profile, loginId, signal, deps);
      const sealedState = stateOf(reply);
      if ((await store(sealedState, login, deps)) && reply.ok) await held.charge(reply.result.price);
      else await held.release();
    } catch (error) {
      // What is not released returns when the reservation expires.
      await held.release().catch(() => {});
      throw error;
    }
  } catch (thrown) {
    if (isUnconfirmed(thrown) || signal.aborted) throw thrown;
    const error = toAppError(thrown);
    // Where the service itself cannot be reached, no site was asked.
    const isOurs = error.code === 'SERVICE_UNAVAILABLE' && clock.nowMs() < wantedAtMs + MAX_OUTAGE_MS;
    const failures = loginFailures + (isOurs ? 0 : 1);
    if (MAY_PASS.has(error.code) && failures < MAX_FAILURES) {
      const delayMs = backoffMs(RETRY_DELAYS, Math.max(0, failures - 1), Math.random());
      deps.logger.warn({ err: error, profileId: profile.id, delayMs }, POSTPONED);
      const loginDueAt = new Date(clock.nowMs() + delayMs);
      return await profiles.postponeLogin(taken, { loginDueAt, loginFailures: failures });
    }
    await profiles.failLogin(taken, { code: error.code, message: error.message }, clock.now());
  }
  deps.onDone();
}

/** Stores the session of a login, for as long as the login is this process's. Returns false if it is another one's. */
async function store(
  sealedState: string,
  { profile: { id: profileId, ttlMs }, loginId, untilMs }: Login,
  { stores: { clock, profiles } }: LoginDeps,
): Promise<boolean> {
  for (;;) {
    const now = clock.now();
    const expiresAt = ttlMs === undefined ? undefined : new Date(now.getTime() + ttlMs);
    try {
      return await profiles.openSession({ profileId, loginId }, { sealedState, now, expiresAt });
    } catch (error) {
      if (clock.nowMs() + STORE_AGAIN_MS > untilMs) throw error;
      await sleep(STORE_AGAIN_MS);
    }
  }
}

/** Returns the state that a login has left. Throws its error, or PROFILE_EXPIRED if it left none. */
function stateOf(reply: ScrapeReply): string {
  if (!reply.ok) {
    const { code, message } = reply.failure;
    throw new AppError(code, { message });
  }
  const { leftState } = reply.result;
  if (leftState) return leftState.state;
  throw new AppError('PROFILE_EXPIRED', { message: 'The login has left neither cookies nor storage.' });
}

async function ask(
  profile: StoredProfile,
  loginId: string,
  signal: AbortSignal,
  { broker, stores }: LoginDeps,
): Promise<ScrapeReply> {
  const {
    id,
    accountId,
    logins,
    revision,
    loginUrl,
    checkJson,
    sealedActions,
    proxy,
    secretNames = [],
  } = profile;
  if (loginUrl === undefined || sealedActions === undefined || checkJson === undefined)
    throw new AppError('INVALID_REQUEST', { message: 'The profile has no steps that sign in.' });
  const secrets = await sealedSecretsOf(accountId, secretNames, stores);
  const deadlineMs = Date.now() + LOGIN_MS;
  const command = {
    ...{ requestId: `login ${loginId}`, accountId, deadlineMs, timeoutMs: LOGIN_MS },
    request: {
      url: loginUrl,
      render: true,
      formats: ['links' as const],
      ...(proxy !== undefined && { proxy }),
    },
    profile: {
      ...{ id, session: logins, revision, isSaved: true },
      ...{ check: JSON.parse(checkJson), actions: sealedActions },
    },
    ...(secrets.length > 0 && { secrets: [...secrets] }),
  };
  return await broker.request('scrape.browser', command, { deadlineMs, graceMs: GRACE_MS / 2, signal });
}

/** Holds what a login may cost. Throws INSUFFICIENT_CREDITS. */
async function hold({ accountId, proxy }: StoredProfile, loginId: string, { stores }: LoginDeps) {
  const { accounts, clock, credits } = stores;
  const account = await accounts.findAccount(accountId);
  if (!account) throw new AppError('INSUFFICIENT_CREDITS');
  const price = worstPriceOf({ render: true, ...(proxy !== undefined && { proxy }) });
  const reservation = await credits.reserve({
    ...{ account, operationId: `login ${loginId}`, credits: totalCredits(price), now: clock.now() },
    expiresAt: new Date(clock.nowMs() + LOGIN_MS + 4 * GRACE_MS),
  });
  return {
    charge: (breakdown: typeof price) =>
      credits.settle(reservation, { keyId: null, operation: 'scrape', breakdown, at: clock.now() }),
    release: () => credits.release(reservation, clock.now()),
  };
}
