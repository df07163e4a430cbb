import { setTimeout as sleep } from 'node:timers/promises';
import { type Broker, isUnconfirmed } from '@gleaner/broker';
import {
  AppError,
  backoffMs,
  defined,
  type ErrorCode,
  type ScrapeReply,
  toAppError,
  totalCredits,
  worstPriceOf,
} from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
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

const LOGIN_MS = 45_000;
/** Time after the login in which its reply may still come and be stored. */
const GRACE_MS = 5000;
/** Time after which another process takes a login. */
export const LOGIN_LEASE_MS = LOGIN_MS + GRACE_MS;
const STORE_AGAIN_MS = 500;
/** Attempts at a login that may fail on the way to the site. */
const MAX_FAILURES = 5;
/** Processes in a row that may die, or lose their connection, during a login. */
const MAX_INTERRUPTIONS = 10;
/** Time during which outages of Gleaner itself do not count as failed attempts. */
const MAX_OUTAGE_MS = 900_000;
const RETRY_DELAYS = { firstMs: 1000, jitter: 'half' } as const;

/** Errors of the way to the site. A form that has changed, or a wrong password, is not tried again. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
  'TIMEOUT',
  'UPSTREAM_ERROR',
  'PROXY_ERROR',
  'RATE_LIMITED',
]);

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
export async function signIn(login: Login, signal: AbortSignal, deps: LoginDeps): Promise<void> {
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
    if (RETRYABLE.has(error.code) && failures < MAX_FAILURES) {
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
    requestId: `login ${loginId}`,
    accountId,
    deadlineMs,
    timeoutMs: LOGIN_MS,
    request: {
      url: loginUrl,
      render: true,
      formats: ['links' as const],
      ...defined({ proxy }),
    },
    profile: {
      id,
      session: logins,
      revision,
      isSaved: true,
      check: JSON.parse(checkJson),
      actions: sealedActions,
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
  const price = worstPriceOf({ render: true, ...defined({ proxy }) });
  const reservation = await credits.reserve({
    account,
    operationId: `login ${loginId}`,
    credits: totalCredits(price),
    now: clock.now(),
    expiresAt: new Date(clock.nowMs() + LOGIN_MS + 4 * GRACE_MS),
  });
  return {
    charge: (breakdown: typeof price) =>
      credits.settle(reservation, { keyId: null, operation: 'scrape', breakdown, at: clock.now() }),
    release: () => credits.release(reservation, clock.now()),
  };
}
