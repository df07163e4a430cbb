import type { BodyOf, ResultOf } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { EXIT_CODES, UsageError } from '../exit-codes.ts';
import { printable } from '../terminal.ts';

type Estimate = ResultOf<'estimate'>['estimate'];

/** Flag of commands that can print an estimate instead. */
export interface DryRunFlags {
  readonly dryRun?: boolean;
  readonly look?: boolean;
}

/** Adds the options that print an estimate instead of doing anything. */
export function addDryRun(command: Command): Command {
  return command
    .option('--dry-run', 'print what it may cost and what would make it fail, and do nothing')
    .option('--look', 'with --dry-run: fetch a few of the pages, at no cost, to say what they are');
}

/** Returns whether only an estimate is wanted. */
export function isDryRun({ dryRun = false, look = false }: DryRunFlags): boolean {
  if (look && !dryRun) throw new UsageError('--look needs --dry-run.', 'Give both, or neither.');
  return dryRun;
}

/** Prints the possible cost of a request; the command fails if the request would, by another problem than one that it solves itself. */
export async function printEstimate(
  body: BodyOf<'estimate'>,
  flags: GlobalOptions & DryRunFlags,
  cli: Cli,
  solved?: Estimate['problems'][number]['code'],
): Promise<void> {
  const { output: _file, look = false, ...printed } = flags;
  const output = cli.output(printed);
  const gleaner = await cli.connect(flags);
  const found = await gleaner.estimate(body, { look, signal: cli.signal });
  const estimate = { ...found, problems: found.problems.filter(({ code }) => code !== solved) };
  await output.one(estimate, fieldsOf(estimate));
  for (const source of estimate.look?.sources ?? []) await output.note(printable(describeSource(source)));
  for (const { code, message, suggestion } of estimate.problems) {
    await output.note(`\n${code}: ${message}\n${suggestion}`);
  }
  if (estimate.problems.length > 0) cli.exit = EXIT_CODES.failed.code;
}

type Source = NonNullable<Estimate['look']>['sources'][number];

function describeSource({ kind, url, found, verdict = 'content', redirectsTo, error }: Source): string {
  if (error) return `${url}: ${error.code}, ${error.message}`;
  if (redirectsTo !== undefined) return `${url}: redirects to ${redirectsTo}`;
  return `${url}: ${kind === 'page' ? verdict : `${kind}, ${found.toLocaleString('en-US')} found`}`;
}

function fieldsOf({ of, credits, pages, runsPerDay, look }: Estimate): [string, unknown][] {
  const { atLeast, atMost } = pages;
  const counts = [...new Set([atLeast, atMost])].map((count) => count.toLocaleString('en-US'));
  return [
    ['estimate of', of === 'schedule' ? 'one run' : of],
    ['pages', counts.join(' to ')],
    ['credits at most', `${credits.worst.toLocaleString('en-US')}, by ${BASES[credits.basis]}`],
    ['credits expected', credits.expected],
    ['runs a day', runsPerDay],
    ['URLs found', look?.urls?.toLocaleString('en-US')],
  ];
}

const BASES: Readonly<Record<Estimate['credits']['basis'], string>> = {
  options: 'the options',
  urls: 'the options and the URLs',
  limit: 'the options and the limit',
  maxCredits: 'the most credits it may use',
};
