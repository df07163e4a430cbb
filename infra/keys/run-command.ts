import type { Stores } from '@gleaner/storage';
import { StartProblem } from '../stack/start-problem.ts';
import type { KeysCommand } from './read-command.ts';

type Doing = Exclude<KeysCommand, { action: 'help' }>;
type StoredKey = Awaited<ReturnType<Stores['keys']['listKeys']>>['keys'][number];

const MAX_LISTED = 1000;

/** Does what was asked and says it in words for the terminal. */
export async function runCommand(command: Doing, stores: Stores): Promise<string> {
  if (command.action === 'create') return createKey(command, stores);
  if (command.action === 'list') return listKeys(command.account, stores);
  return revokeKey(command, stores);
}

async function createKey(
  command: Extract<Doing, { action: 'create' }>,
  { accounts, keys }: Stores,
): Promise<string> {
  const { account, name, scopes, expiresAt, credits } = command;
  await accounts.ensureAccount({ id: account, name: account });
  if (credits !== undefined) await accounts.setBalance(account, credits);
  const key = await keys.createKey({ accountId: account, name, scopes, expiresAt });
  return `${key.key}\n\nThis is ${key.id} (${key.name}) of ${account}, for ${key.scopes.join(', ')}. It is shown this once.`;
}

async function listKeys(account: string, { keys }: Stores): Promise<string> {
  const { keys: listed, total } = await keys.listKeys(account, { limit: MAX_LISTED, offset: 0 });
  if (total === 0) return `${account} has no keys.`;
  const rows = listed.map((key) =>
    [key.id, `${key.prefix}…`, stateOf(key), key.scopes.join(','), printable(key.name)].join('  '),
  );
  return total > listed.length
    ? [...rows, `… and ${total - listed.length} older ones`].join('\n')
    : rows.join('\n');
}

async function revokeKey(
  { account, id }: Extract<Doing, { action: 'revoke' }>,
  { keys }: Stores,
): Promise<string> {
  const key = await keys.revokeKey(account, id);
  if (!key)
    throw new StartProblem(`${account} has no key ${id}.`, 'npm run keys -- list shows the keys there are.');
  return `${key.id} (${printable(key.name)}) is revoked; every gateway refuses it within 5 seconds.`;
}

/** Names of older keys may hold what a terminal would obey. */
function printable(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '\ufffd');
}

function stateOf({ revokedAt, expiresAt }: StoredKey): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (!expiresAt) return 'active';
  return `${expiresAt.getTime() < Date.now() ? 'expired' : 'active until'} ${expiresAt.toISOString()}`;
}
