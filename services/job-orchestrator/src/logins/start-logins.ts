import { randomUUID } from 'node:crypto';
import { repeatAtIntervals } from '@gleaner/service-kit';
import { LOGIN_LEASE_MS, type LoginDeps, signIn } from './sign-in.ts';

const LOOK_MS = 1000;
/** The same while no login is under way: one takes longer than that. */
const IDLE_LOOK_MS = 2500;
/** Logins of one process at once. */
const AT_ONCE = 8;
const AT_ONCE_PER_ACCOUNT = 2;
/** Time that logins have to end when the process stops. */
const STOP_WITHIN_MS = 10_000;

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
    idleIntervalMs: IDLE_LOOK_MS,
    logger: deps.logger,
    onFailure: 'Logins of profiles were not looked for; this is tried again in a moment.',
  });

  async function takeLogins(
    all: Map<Promise<void>, string>,
    signal: AbortSignal,
  ): Promise<'idle' | undefined> {
    const { clock, profiles } = deps.stores;
    while (all.size < AT_ONCE && !signal.aborted) {
      const loginId = randomUUID();
      const counts = Map.groupBy(all.values(), (accountId) => accountId);
      const except = [...counts].flatMap(([id, { length }]) => (length < AT_ONCE_PER_ACCOUNT ? [] : [id]));
      const until = new Date(clock.nowMs() + LOGIN_LEASE_MS);
      const profile = await profiles.takeLogin(loginId, { now: clock.now(), until, except });
      if (!profile) return all.size === 0 ? 'idle' : undefined;
      const login = signIn({ profile, loginId, untilMs: until.getTime() }, stopping.signal, deps)
        .catch((err: unknown) => deps.logger.warn({ err, profileId: profile.id }, INTERRUPTED))
        .finally(() => all.delete(login));
      all.set(login, profile.accountId);
    }
    return undefined;
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
