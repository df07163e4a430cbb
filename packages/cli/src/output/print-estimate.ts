import type { BodyOf, ResultOf } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { EXIT_CODES } from '../exit-codes.ts';

type Estimate = ResultOf<'estimate'>['estimate'];

/** Flag of commands that can print an estimate instead. */
export interface DryRunFlags {
  readonly dryRun?: boolean;
}

/** Adds the option that prints an estimate instead of doing anything. */
export function addDryRun(command: Command): Command {
  return command.option('--dry-run', 'print what it may cost and what would make it fail, and do nothing');
}

/** Prints what a request may cost; a problem that would make it fail makes the command fail. */
export async function printEstimate(body: BodyOf<'estimate'>, flags: GlobalOptions, cli: Cli): Promise<void> {
  const { output: _file, ...printed } = flags;
  const output = cli.output(printed);
  const gleaner = await cli.connect(flags);
  const estimate = await gleaner.estimate(body, { signal: cli.signal });
  await output.one(estimate, fieldsOf(estimate));
  for (const { code, message, suggestion } of estimate.problems) {
    await output.note(`\n${code}: ${message}\n${suggestion}`);
  }
  if (estimate.problems.length > 0) cli.exit = EXIT_CODES.failed.code;
}

function fieldsOf({ of, credits, pages, runsPerDay }: Estimate): [string, unknown][] {
  const { atLeast, atMost } = pages;
  const counts = [...new Set([atLeast, atMost])].map((count) => count.toLocaleString('en-US'));
  return [
    ['estimate of', of === 'schedule' ? 'one run' : of],
    ['pages', counts.join(' to ')],
    ['credits at most', `${credits.worst.toLocaleString('en-US')}, by ${BASES[credits.basis]}`],
    ['credits expected', credits.expected],
    ['runs a day', runsPerDay],
  ];
}

const BASES: Readonly<Record<Estimate['credits']['basis'], string>> = {
  options: 'the options of the page',
  urls: 'the options and the URLs',
  limit: 'the options and the limit',
  maxCredits: 'the most credits it may use',
};
