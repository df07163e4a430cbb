import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@gleaner/config';
import { AppError, DEFAULT_ACCOUNT_ID, SCOPES } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';

/** Collaborators of the bootstrap. */
export interface BootstrapDeps {
  readonly stores: Pick<Stores, 'clock' | 'accounts' | 'keys' | 'rateLimits'>;
  readonly logger: Logger;
  /** Shows a text to the operator without the log, which would redact the key. */
  readonly show: (text: string) => void;
}

const NAME = 'First admin key';

/** Lifetime of a claim: after the death of its gateway, another one can create the key. */
const CLAIM_LIFETIME_MS = 60_000;
const CLAIM_POLL_MS = 500;

/**
 * Ensures that an admin key exists: imports the operator's key or, when the database has no key, creates one and shows it
 * once. When several gateways start together, one of them creates it, and the others wait for that. Throws a StartupError when
 * the operator's key could be guessed.
 */
export async function ensureAdminKey(bootstrapKey: string | undefined, deps: BootstrapDeps): Promise<void> {
  const { accounts, keys } = deps.stores;
  await accounts.ensureAccount({ id: DEFAULT_ACCOUNT_ID, name: 'Default account' });
  if (bootstrapKey !== undefined) return importKey(bootstrapKey, deps);
  if ((await hasKeys(deps)) || !(await claimOrSeeKeys(deps))) return;
  const { key } = await keys.createKey({ accountId: DEFAULT_ACCOUNT_ID, name: NAME, scopes: SCOPES });
  deps.logger.info('Created the first admin key; it is shown once on stderr.');
  deps.show(`\ngleaner: the first admin API key, shown this once: ${key}\n\n`);
}

async function importKey(key: string, { stores: { keys }, logger }: BootstrapDeps): Promise<void> {
  const fields = { accountId: DEFAULT_ACCOUNT_ID, name: NAME, scopes: SCOPES };
  const stored = await keys.importKey({ key, ...fields }).catch(rejectWeakKey);
  if (!stored.revokedAt) return;
  logger.warn({ keyId: stored.id }, 'BOOTSTRAP_API_KEY was revoked and stays revoked; set another key.');
}

function rejectWeakKey(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') throw error;
  throw new StartupError(`BOOTSTRAP_API_KEY cannot be used. ${error.message}`, {
    suggestion: error.suggestion,
  });
}

async function hasKeys({ stores: { keys } }: BootstrapDeps): Promise<boolean> {
  const { total } = await keys.listKeys(DEFAULT_ACCOUNT_ID, { limit: 1, offset: 0 });
  return total > 0;
}

/**
 * Waits until this gateway may create the key, or another one has: true if it may. A gateway that dies with the claim keeps
 * the others waiting until the claim expires.
 */
async function claimOrSeeKeys(deps: BootstrapDeps): Promise<boolean> {
  const giveUpAtMs = performance.now() + 2 * CLAIM_LIFETIME_MS;
  for (;;) {
    // Keys are looked for under the claim as well: its previous holder may have created one.
    const isClaimed = await claim(deps);
    if (await hasKeys(deps)) return false;
    if (isClaimed) return true;
    if (performance.now() > giveUpAtMs) throw noClaim();
    deps.logger.debug('Another gateway is creating the first admin key, or has died over it.');
    await sleep(CLAIM_POLL_MS);
  }
}

function noClaim(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'There is no API key yet, and other gateways kept the claim to create the first one.',
  });
}

/** Takes the claim, which one replica can have at a time: a rate limit of one call. */
async function claim({ stores: { clock, rateLimits } }: BootstrapDeps): Promise<boolean> {
  const { isAllowed } = await rateLimits.takeFromRateLimit({
    keyId: DEFAULT_ACCOUNT_ID,
    class: 'bootstrap',
    limit: 1,
    windowMs: CLAIM_LIFETIME_MS,
    now: clock.now(),
  });
  return isAllowed;
}
