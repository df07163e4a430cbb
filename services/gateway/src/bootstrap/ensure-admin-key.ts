import { StartupError } from '@gleaner/config';
import { AppError, DEFAULT_ACCOUNT_ID, SCOPES } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';

/** Collaborators of the bootstrap. */
export interface BootstrapDeps {
  readonly stores: Pick<Stores, 'accounts' | 'keys' | 'rateLimits'>;
  readonly logger: Logger;
  /** Shows a text to the operator, past the log, which would hide the key. */
  readonly show: (text: string) => void;
}

const NAME = 'First admin key';

/** A gateway that dies with the claim in its hands holds up the next one for so long. */
const CLAIM_LIFETIME_MS = 60_000;

/**
 * Makes sure that somebody can call: takes in the operator's key, or, where there is no key at all, makes an admin key
 * and shows it this once. Of several gateways that start at once, one makes it.
 * Throws a StartupError when the operator's key could be guessed.
 */
export async function ensureAdminKey(bootstrapKey: string | undefined, deps: BootstrapDeps): Promise<void> {
  const { accounts, keys } = deps.stores;
  await accounts.ensureAccount({ id: DEFAULT_ACCOUNT_ID, name: 'Default account' });
  if (bootstrapKey !== undefined) return takeIn(bootstrapKey, deps);
  if (await hasKeys(deps)) return;
  // Asked again under the claim: the one who had it before may have made the key meanwhile.
  if (!(await claim(deps)) || (await hasKeys(deps))) return;
  const { key } = await keys.createKey({ accountId: DEFAULT_ACCOUNT_ID, name: NAME, scopes: SCOPES });
  deps.logger.info('Made the first admin key; it is shown once, beside the log.');
  deps.show(`\ngleaner: the first admin API key, shown this once: ${key}\n\n`);
}

async function takeIn(key: string, { stores: { keys }, logger }: BootstrapDeps): Promise<void> {
  const fields = { accountId: DEFAULT_ACCOUNT_ID, name: NAME, scopes: SCOPES };
  const stored = await keys.importKey({ key, ...fields }).catch(refuseWeakKey);
  if (!stored.revokedAt) return;
  logger.warn({ keyId: stored.id }, 'BOOTSTRAP_API_KEY was revoked and stays so; give another one.');
}

function refuseWeakKey(fault: unknown): never {
  if (!(fault instanceof AppError) || fault.code !== 'INVALID_REQUEST') throw fault;
  throw new StartupError(`BOOTSTRAP_API_KEY cannot be used. ${fault.message}`, {
    suggestion: fault.suggestion,
  });
}

async function hasKeys({ stores: { keys } }: BootstrapDeps): Promise<boolean> {
  const { total } = await keys.listKeys(DEFAULT_ACCOUNT_ID, { limit: 1, offset: 0 });
  return total > 0;
}

/** One claim in its lifetime, for all replicas: an allowance of one call. */
async function claim({ stores: { rateLimits } }: BootstrapDeps): Promise<boolean> {
  const { isAllowed } = await rateLimits.takeFromRateLimit({
    keyId: DEFAULT_ACCOUNT_ID,
    class: 'bootstrap',
    limit: 1,
    windowMs: CLAIM_LIFETIME_MS,
    now: new Date(),
  });
  return isAllowed;
}
