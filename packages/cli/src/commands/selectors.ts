import { type BodyOf, type CallOptions, type Gleaner, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { CommandError, EXIT_CODES, UsageError } from '../exit-codes.ts';
import { addActionOptions } from '../input/action-options.ts';
import { collect, parseCount } from '../input/option-values.ts';
import { addPageFlags } from '../input/page-flags.ts';
import { type PageFlags, readPageOptions, withoutUndefined } from '../input/page-options.ts';
import { addRequestOptions } from '../input/request-options.ts';

interface Flags extends PageFlags, GlobalOptions {
  readonly alsoOn?: string[];
  readonly maxCredits?: number;
}

type Scrape = BodyOf<'scrape'>;
type Propose = Parameters<Gleaner['snapshots']['propose']>[1];

/** `gleaner selectors <url>`: selectors for the fields of a JSON schema, which a model finds once on the page. */
export function defineSelectors(command: Command, cli: Cli): void {
  command.argument('<url>', 'the page; https:// may be left out');
  const data = addPageFlags(command.optionsGroup('Data:'), 'Data')
    .option('--also-on <url>', 'another page of the same kind, to test the selectors on; repeatable', collect)
    .option('--max-credits <n>', 'the most that the model may cost', parseCount);
  const fetching = addActionOptions(addRequestOptions(data).optionsGroup('Fetching:'));
  addPageFlags(fetching, 'Fetching')
    .optionsGroup('Options:')
    .action(async (url: string, flags: Flags) => {
      const { extract, ...options } = await readPageOptions(flags, cli);
      if (!extract?.schema) {
        throw new UsageError(
          '--schema is missing.',
          'Name the fields in a JSON schema: --schema fields.json',
        );
      }
      const { output, gleaner, call } = await cli.open(flags);
      // What would be refused costs no page.
      await gleaner.estimate({ ...options, url: withScheme(url), extract } as Scrape, call);
      const keep = keeper(gleaner, options, call);
      const id = await keep(url);
      const alsoOn: string[] = [];
      for (const other of flags.alsoOn ?? []) alsoOn.push(await keep(other));
      const { schema, prompt } = extract;
      const { locale } = options;
      const body = {
        schema,
        ...withoutUndefined({ prompt, locale, maxCredits: flags.maxCredits }),
        ...(alsoOn.length > 0 && { alsoOn }),
      } as Propose;
      const { selectors, unsolved, stableOn = {}, credits } = await gleaner.snapshots.propose(id, body, call);
      const found = Object.keys(selectors);
      if (found.length > 0) await output.json(selectors);
      else cli.exit = EXIT_CODES.failed.code;
      if (flags.quiet) return;
      const { terminal } = cli;
      for (const { field, message } of unsolved)
        terminal.warn(` ${field}: ${message}\n`, terminal.style('yellow', 'warning:'));
      for (const [field, share] of Object.entries(stableOn))
        terminal.warn(`${field} has a value on ${share} of the other pages.\n`);
      const cost = `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
      terminal.warn(`${found.join(', ') || 'No selectors'}; the model cost ${cost}.\n`);
    });
}

/** Returns a function that scrapes a page, and returns the id of its snapshot. */
function keeper(gleaner: Gleaner, options: Omit<Scrape, 'url'>, call: CallOptions) {
  return async (url: string): Promise<string> => {
    const body = { ...options, url: withScheme(url), snapshot: true } as Scrape;
    const { snapshotId, warnings = [] } = await gleaner.scrape(body, call);
    if (snapshotId !== undefined) return snapshotId;
    const reasons = warnings.map(({ message }) => message).join(' ');
    throw new CommandError(`${url} was not kept. ${reasons}`.trim());
  };
}
