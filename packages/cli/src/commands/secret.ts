import type { BodyOf, Secret } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { collect } from '../input/option-values.ts';
import { withoutUndefined } from '../input/page-options.ts';
import { readText } from '../input/read-text.ts';
import type { Column } from '../output/render-table.ts';

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
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const secret = await gleaner.secrets.put(name, body as BodyOf<'putSecret'>, { signal: cli.signal });
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
    const output = cli.output(flags);
    const gleaner = await cli.connect(flags);
    await output.list(await gleaner.secrets.list({ signal: cli.signal }), COLUMNS, 'There are no secrets.');
  });
}

/** `gleaner secret delete <name>`. */
export function defineDelete(command: Command, cli: Cli): void {
  command.argument('<name>', 'name of the secret').action(async (name: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const gleaner = await cli.connect(flags);
    await gleaner.secrets.delete(name, { signal: cli.signal });
    await output.note(`${name} is deleted.`);
  });
}
