import { randomUUID } from 'node:crypto';
import type { Broker } from '@gleaner/broker';
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
import { sealedSecretsOf } from '../dispatch/find-secrets.ts';

/** Collaborators of logins. */
export interface LoginDeps {
  readonly stores: Pick<Stores, 'clock' | 'profiles' | 'secrets' | 'accounts' | 'credits'>;
  readonly broker: Pick<Broker, 'request'>;
  readonly logger: Logger;
  /** Called when the pages of a profile may go out, or have nothing to wait for any more. */
  readonly onDone: () => void;
}

const LOOK_MS = 250;
const AT_ONCE = 4;
const LOGIN_MS = 60_000;
/** Time after the login in which its reply may still come and be stored; another process takes the login after it. */
const GRACE_MS = 15_000;
const MAX_TRIES = 5;
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
  const running = new Set<Promise<void>>();
  const stopLooking = repeatAtIntervals((signal) => takeLogins(running, signal, deps), {
    intervalMs: LOOK_MS,
    logger: deps.logger,
    onFailure: 'Logins of profiles were not looked for; this is tried again in a moment.',
  });
  return async () => {
    await stopLooking();
    await Promise.all(running);
  };
}

async function takeLogins(running: Set<Promise<void>>, signal: AbortSignal, deps: LoginDeps): Promise<void> {
  while (running.size < AT_ONCE && !signal.aborted) {
    const loginId = randomUUID();
    const { clock, profiles } = deps.stores;
    const until = new Date(clock.nowMs() + LOGIN_MS + GRACE_MS);
    const profile = await profiles.takeLogin(loginId, clock.now(), until);
    if (!profile) return;
    const login = signIn(profile, loginId, signal, deps)
      .catch((err: unknown) => {
        if (!signal.aborted) deps.logger.warn({ err, profileId: profile.id }, INTERRUPTED);
      })
      .finally(() => running.delete(login));
    running.add(login);
  }
}

const INTERRUPTED = 'A login of a profile was interrupted; it is done again.';

/** Does one login: hold credits → ask a scraper → store the session → charge. */
async function signIn(
  profile: StoredProfile,
  loginId: string,
  signal: AbortSignal,
  deps: LoginDeps,
): Promise<void> {
  const { clock, profiles } = deps.stores;
  const taken = { profileId: profile.id, loginId };
  try {
    const held = await hold(profile, loginId, deps);
    try {
      const reply = await ask(profile, loginId, signal, deps);
      const state = stateOf(reply);
      const now = clock.now();
      const expiresAt = profile.ttlMs === undefined ? undefined : new Date(now.getTime() + profile.ttlMs);
      await profiles.openSession(taken, { sealedState: state, now, expiresAt });
      if (reply.ok) await held.charge(reply.result.price);
    } catch (error) {
      await held.release();
      throw error;
    }
  } catch (thrown) {
    if (signal.aborted) return await profiles.postponeLogin(taken, clock.now());
    const error = toAppError(thrown);
    const tries = profile.loginTries ?? 1;
    if (MAY_PASS.has(error.code) && tries < MAX_TRIES) {
      const delayMs = backoffMs(RETRY_DELAYS, tries - 1, Math.random());
      return await profiles.postponeLogin(taken, new Date(clock.nowMs() + delayMs));
    }
    await profiles.failLogin(taken, { code: error.code, message: error.message }, clock.now());
  }
  deps.onDone();
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
  return await broker.request('scrape.browser', command, { deadlineMs, graceMs: GRACE_MS / 3, signal });
}

/** Holds what a login may cost. Throws INSUFFICIENT_CREDITS. */
async function hold({ accountId, proxy }: StoredProfile, loginId: string, { stores }: LoginDeps) {
  const { accounts, clock, credits } = stores;
  const account = await accounts.findAccount(accountId);
  if (!account) throw new AppError('INSUFFICIENT_CREDITS');
  const price = worstPriceOf({ render: true, ...(proxy !== undefined && { proxy }) });
  const reservation = await credits.reserve({
    ...{ account, operationId: `login ${loginId}`, credits: totalCredits(price), now: clock.now() },
    expiresAt: new Date(clock.nowMs() + LOGIN_MS + 2 * GRACE_MS),
  });
  return {
    charge: (breakdown: typeof price) =>
      credits.settle(reservation, { keyId: null, operation: 'scrape', breakdown, at: clock.now() }),
    release: () => credits.release(reservation, clock.now()),
  };
}
