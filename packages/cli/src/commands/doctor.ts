import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Check } from '../doctor/check-system.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import type { Column } from '../output/render-table.ts';

interface Flags extends GlobalOptions {
  readonly page?: string;
}

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], failed: ['red', '✗'] } as const;
const COLUMNS: readonly Column<Check>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'state', value: ({ state }) => state },
  { name: 'found', value: ({ found }) => found },
  { name: 'remedy', value: ({ remedy }) => remedy },
];

/** `gleaner doctor`: one line for each check, and what to do about those that fail. */
export function defineDoctor(command: Command, cli: Cli): void {
  command
    .option('--page <url>', 'also scrape this page, by HTTP and in a browser')
    .action(async (flags: Flags) => {
      const output = cli.output(flags);
      const checks: Check[] = [];
      for await (const check of runChecks(cli, flags, flags.page)) {
        checks.push(check);
        if (output.format !== 'table') continue;
        const [color, mark] = MARKS[check.state];
        const remedy = check.remedy ? `\n    ${check.remedy.replaceAll('\n', '\n    ')}` : '';
        const { sink } = output;
        await sink.write(` ${check.found}${remedy}\n`, sink.isTty ? styleText(color, mark) : mark);
      }
      if (output.format !== 'table') await output.list(checks, COLUMNS, '');
      const failures = checks.filter(({ state }) => state === 'failed').length;
      if (failures > 0) cli.exit = EXIT_CODES.failed.code;
    });
}
