import type { BodyOf, Secret } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { collect } from '../input/option-values.ts';
import { withoutUndefined } from '../input/page-options.ts';
import { readText } from '../input/read-text.ts';
import type { Column } from '../output/render-table.ts';
import { forOne } from './for-one.ts';

interface SetFlags extends GlobalOptions {
  readonly file?: string;
  readonly origin?: string[];
}

/** `gleaner secret set <name>`. The value is never an argument, which shells and process lists would keep. */
export function defineSet(command: Command, cli: Cli): void {
  command
    .argument('<name>', 'name that steps use: {"fill": "#password", "value": {"secret": "name"}}')
    .option('--file <file>', 'file with the value; default: the standard input')
    .option(
      '--origin <origin>',
      'origin of pages that it may be written in, such as https://shop.example; repeatable',
      collect,
    )
    .action(async (name: string, flags: SetFlags) => {
      const value = (await readText(flags.file ?? '-', cli)).replace(/\r?\n$/, '');
      if (value === '')
        throw new UsageError(
          'The value is empty.',
          `Write it on the standard input: gleaner secret set ${name} < file`,
        );
      const body = withoutUndefined({ value, origins: flags.origin });
      const { output, gleaner, call } = await cli.open(flags);
      const secret = await gleaner.secrets.put(name, body as BodyOf<'putSecret'>, call);
      if (output.format !== 'table') return await output.one(secret, []);
      await output.note(`${name} is stored.`);
    });
}

const COLUMNS: readonly Column<Secret>[] = [
  { name: 'name', isWhole: true, value: ({ name }) => name },
  { name: 'origins', value: ({ origins = [] }) => origins.join(' ') },
  { name: 'updated', isWhole: true, isMinor: true, value: ({ updatedAt }) => updatedAt },
];

/** `gleaner secret list`. */
export function defineList(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    await output.list(await gleaner.secrets.list(call), COLUMNS, 'There are no secrets.');
  });
}

/** `gleaner secret delete <name>`. */
export const defineDelete = forOne(
  '<name>',
  'name of the secret',
  async (name, { output, gleaner, call }) => {
    await gleaner.secrets.delete(name, call);
    await output.note(`${name} is deleted.`);
  },
);
