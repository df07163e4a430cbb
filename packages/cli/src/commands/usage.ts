import type { Usage } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Column } from '../output/render-table.ts';

interface Flags extends GlobalOptions {
  readonly from?: string;
  readonly to?: string;
}

const DAYS: readonly Column<Usage['byDay'][number]>[] = [
  { name: 'day', value: ({ day }) => day },
  { name: 'credits', value: ({ credits }) => credits },
  { name: 'requests', value: ({ requests }) => requests },
];

/** `gleaner usage`. */
export function defineUsage(command: Command, cli: Cli): void {
  command
    .option('--from <day>', 'first day, YYYY-MM-DD; default 30 days ago')
    .option('--to <day>', 'last day, YYYY-MM-DD; default today')
    .action(async (flags: Flags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const usage = await gleaner.usage({ from: flags.from, to: flags.to }, call);
      if (output.format === 'csv') return await output.list(usage.byDay, DAYS, '');
      const operations = Object.entries(usage.byOperation).map(
        ([name, { credits, requests }]) =>
          [`  ${name}`, `${count(credits, 'credit')}, ${count(requests, 'request')}`] as [string, unknown],
      );
      await output.one(usage, [
        ['used', usage.used],
        ...operations,
        ['reserved', usage.reserved],
        ['remaining', usage.remaining ?? 'unlimited'],
      ]);
      if (output.format !== 'table' || usage.byDay.length === 0) return;
      await output.note('');
      await output.list(usage.byDay, DAYS, '');
    });
}

function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;
}
