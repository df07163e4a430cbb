import type { Key } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import type { Column } from '../../output/render-table.ts';

const COLUMNS: readonly Column<Key>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'key', isWhole: true, isMinor: true, value: ({ prefix }) => `${prefix}…` },
  { name: 'state', value: stateOf },
  { name: 'scopes', value: ({ scopes }) => scopes.join(',') },
  { name: 'used', isWhole: true, isMinor: true, value: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
  { name: 'created', isWhole: true, isMinor: true, value: ({ createdAt }) => createdAt },
  { name: 'name', value: ({ name }) => name },
];

/** `gleaner key list`. */
export function defineList(command: Command, cli: Cli): void {
  addListOptions(command).action(async (flags: ListFlags & GlobalOptions) => {
    const output = cli.output(flags);
    const { keys } = await cli.connect(flags);
    await output.list(take(keys.list({}, { signal: cli.signal }), flags), COLUMNS, 'There are no keys.');
  });
}

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'active';
  return Date.parse(expiresAt) < Date.now() ? 'expired' : `active until ${expiresAt}`;
}
