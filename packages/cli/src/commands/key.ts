import type { BodyOf, Key } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { addListOptions, type ListFlags, take } from '../input/list-options.ts';
import { splitList } from '../input/option-values.ts';
import { withoutUndefined } from '../input/page-options.ts';
import type { Column } from '../output/render-table.ts';
import { forOne } from './for-one.ts';

interface NewKeyFlags extends GlobalOptions {
  readonly name?: string;
  readonly scopes?: NonNullable<BodyOf<'createKey'>['scopes']>;
  readonly expires?: string;
}

/** `gleaner key create`. */
export function defineCreate(command: Command, cli: Cli): void {
  command
    .option('--name <name>', 'name of the key, such as the program that uses it')
    .option('--scopes <scopes>', 'permissions, separated by commas; default: all but admin', splitList)
    .option('--expires <date>', 'date or time at which it expires, such as 2030-01-31; default: never')
    .action(async (flags: NewKeyFlags) => {
      const { name, scopes, expires } = flags;
      const body = withoutUndefined({ name, scopes, expiresAt: readMoment(expires) });
      const { output, gleaner, call } = await cli.open(flags);
      const key = await gleaner.keys.create(body as BodyOf<'createKey'>, call);
      // The key alone, so that it can be put into a file; what is about it goes to the person.
      if (output.format !== 'table' && output.format !== 'ndjson') return await output.json(key);
      await output.sink.write(`${key.key}\n`);
      if (flags.quiet) return;
      const expiry = key.expiresAt ? `, until ${key.expiresAt}` : '';
      cli.terminal.warn(
        `This is ${key.id} (${key.name}), for ${key.scopes.join(', ')}${expiry}. Keep it: it is not shown again.\n`,
      );
    });
}

function readMoment(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new UsageError(`--expires ${text} is not a date.`, 'Write it as 2030-01-31 or 2030-01-31T12:00:00Z.');
}

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
    const { output, gleaner, call } = await cli.open(flags);
    await output.list(take(gleaner.keys.list({}, call), flags), COLUMNS, 'There are no gleaner.keys.');
  });
}

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'active';
  return Date.parse(expiresAt) < Date.now() ? 'expired' : `active until ${expiresAt}`;
}

/** `gleaner key revoke <id>`. */
export const defineRevoke = forOne(
  '<id>',
  'id of the key, key_…, which list shows',
  async (id, { output, gleaner, call }) => {
    const key = await gleaner.keys.revoke(id, call);
    if (output.format !== 'table') return await output.one(key, []);
    await output.note(`${key.id} (${key.name}) is revoked; every gateway rejects it within 5 seconds.`);
  },
);
