import { StartupError } from '@gleaner/config';
import type { Stores } from '@gleaner/storage';
import type { KeysCommand } from './read-command.ts';

type RunnableCommand = Exclude<KeysCommand, { action: 'help' }>;
type StoredKey = Awaited<ReturnType<Stores['keys']['listKeys']>>['keys'][number];

const MAX_LISTED = 1000;

/** Runs the command and returns the text for the terminal. */
export async function runCommand(command: RunnableCommand, stores: Stores): Promise<string> {
  if (command.action === 'create') return createKey(command, stores);
  if (command.action === 'credit') return addCredits(command, stores);
  if (command.action === 'list') return listKeys(command.account, stores);
  return revokeKey(command, stores);
}

async function createKey(
  command: Extract<RunnableCommand, { action: 'create' }>,
  { accounts, keys }: Stores,
): Promise<string> {
  const { account, name, scopes, expiresAt, credits } = command;
  await accounts.ensureAccount({ id: account, name: account });
  if (credits !== undefined) await accounts.setBalance(account, credits);
  const key = await keys.createKey({ accountId: account, name, scopes, expiresAt });
  return `${key.key}\n\nThis is ${key.id} (${key.name}) of ${account}, for ${key.scopes.join(', ')}. Keep it: it is not shown again.`;
}

async function addCredits(
  { account, credits }: Extract<RunnableCommand, { action: 'credit' }>,
  { accounts }: Pick<Stores, 'accounts'>,
): Promise<string> {
  const credited = await accounts.addCredits(account, credits);
  if (!credited)
    throw new StartupError(`There is no account ${account}.`, {
      suggestion: `Create it with: npm run keys -- create --account ${account}`,
    });
  if (credited.balance === null) return `${account} is unlimited; no credits were added.`;
  return `${credits} credits were added to ${account}; its balance is ${credited.balance}.`;
}

async function listKeys(account: string, { keys }: Stores): Promise<string> {
  const { keys: listed, total } = await keys.listKeys(account, { limit: MAX_LISTED, offset: 0 });
  if (total === 0) return `${account} has no keys.`;
  const rows = listed.map((key) =>
    [key.id, `${key.prefix}…`, stateOf(key), key.scopes.join(','), printable(key.name)].join('  '),
  );
  return total > listed.length
    ? [...rows, `… and ${total - listed.length} older keys`].join('\n')
    : rows.join('\n');
}

async function revokeKey(
  { account, id }: Extract<RunnableCommand, { action: 'revoke' }>,
  { keys }: Stores,
): Promise<string> {
  const key = await keys.revokeKey(account, id);
  if (!key)
    throw new StartupError(`${account} has no key ${id}.`, {
      suggestion: 'npm run keys -- list shows the keys of an account.',
    });
  return `${key.id} (${printable(key.name)}) is revoked; every gateway rejects it within 5 seconds.`;
}

/** Replaces control characters, which names of older keys may hold and a terminal would obey. */
function printable(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '\ufffd');
}

function stateOf({ revokedAt, expiresAt }: StoredKey): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (!expiresAt) return 'active';
  return `${expiresAt.getTime() < Date.now() ? 'expired' : 'active until'} ${expiresAt.toISOString()}`;
}
