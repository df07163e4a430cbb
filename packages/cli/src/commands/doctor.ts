import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Check } from '../doctor/check-system.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { type RangeRow, runRange } from '../doctor/run-range.ts';
import { EXIT_CODES, UsageError } from '../exit-codes.ts';
import type { Column } from '../output/render-table.ts';

interface Flags extends GlobalOptions {
  readonly page?: string;
  readonly range?: string;
}

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], failed: ['red', '✗'] } as const;
const COLUMNS: readonly Column<Check>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'state', value: ({ state }) => state },
  { name: 'found', value: ({ found }) => found },
  { name: 'remedy', value: ({ remedy }) => remedy },
];

const RANGE_COLUMNS: readonly Column<RangeRow>[] = [
  { name: 'right', isWhole: true, value: ({ right }) => (right ? '✓' : '✗') },
  { name: 'path', value: ({ path }) => path },
  { name: 'options', isMinor: true, value: ({ options }) => JSON.stringify(options) },
  { name: 'expected', value: ({ expected }) => expected },
  { name: 'got', value: ({ got }) => got },
];

/** `gleaner doctor`: one line for each check, with a remedy for failed ones. */
export function defineDoctor(command: Command, cli: Cli): void {
  command
    .option('--page <url>', 'also scrape this page, by HTTP and in a browser')
    .option('--range <url>', 'instead, scrape every page of a range (npm run range) and compare the answers')
    .action(async (flags: Flags) => {
      if (flags.range !== undefined) return await examineRange(cli, flags, flags.range);
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

/** Prints a row for each page of the range, and how many were answered rightly. */
async function examineRange(cli: Cli, flags: Flags, address: string): Promise<void> {
  if (flags.page !== undefined)
    throw new UsageError('--page and --range exclude each other.', 'Leave one of them out.');
  const { output, gleaner } = await cli.open(flags);
  if (cli.terminal.stderr.isTTY && !flags.quiet)
    cli.terminal.warn(`Scraping every page of ${address}. This may take a minute or two.\n`);
  const count = { all: 0, right: 0 };
  async function* counted(): AsyncGenerator<RangeRow> {
    for await (const row of runRange(gleaner, address, cli.signal)) {
      count.all += 1;
      if (row.right) count.right += 1;
      yield row;
    }
  }
  await output.list(counted(), RANGE_COLUMNS, '');
  await output.note(`${count.right} of ${count.all} answers are right.`);
  if (count.right < count.all) cli.exit = EXIT_CODES.failed.code;
}
