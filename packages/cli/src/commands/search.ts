import type { BodyOf, ResultOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { parseCount } from '../input/option-values.ts';
import { addPageFlags } from '../input/page-flags.ts';
import { addDataOptions, type PageFlags, readPageOptions, withoutUndefined } from '../input/page-options.ts';
import type { Column } from '../output/render-table.ts';

interface Flags extends PageFlags, GlobalOptions {
  readonly limit?: number;
  readonly site?: string;
  readonly time?: NonNullable<BodyOf<'search'>['time']>;
  readonly lang?: string;
  readonly maxCredits?: number;
}

type Found = Omit<ResultOf<'search'>, 'success'>;

const COLUMNS: readonly Column<Found['results'][number]>[] = [
  { name: 'title', value: ({ title }) => title },
  { name: 'url', value: ({ url }) => url },
  { name: 'snippet', value: ({ snippet }) => snippet },
  { name: 'publishedAt', value: ({ publishedAt }) => publishedAt },
];

/** Columns of results whose pages were scraped. */
const PAGE_COLUMNS: typeof COLUMNS = [
  ...COLUMNS.slice(0, 2),
  { name: 'data', value: ({ page }) => page?.data },
  { name: 'formats', value: ({ page }) => page?.formats },
  { name: 'error', value: ({ error }) => error?.message },
];

/** `gleaner search <query>`: pages of the web, with their data if options of a scrape are given. */
export function defineSearch(command: Command, cli: Cli): void {
  command
    .argument('<query>', 'the words to search for')
    .option('--limit <n>', 'most results, at most 50; default 10', parseCount)
    .option('--site <host>', 'only results of this host and its subdomains')
    .addOption(
      new Option('--time <period>', 'only results of the last…').choices(['day', 'week', 'month', 'year']),
    )
    .option('--lang <tag>', 'language of the results, such as de');
  const withData = addDataOptions(command).optionsGroup('Fetching:');
  addPageFlags(withData, 'Fetching')
    .optionsGroup('Options:')
    .option('--max-credits <n>', 'the most that all pages together may cost', parseCount)
    .action(async (query: string, flags: Flags) => {
      const { limit, site, time, lang, maxCredits } = flags;
      const scrape = await readPageOptions(flags, cli);
      const isScraped = Object.keys(scrape).length > 0;
      const body = {
        query,
        ...withoutUndefined({ limit, site, time, lang, maxCredits }),
        ...(isScraped && { scrape }),
      } as BodyOf<'search'>;
      const { output, gleaner, call } = await cli.open(flags);
      const found = await gleaner.search(body, call);
      const isHere = isScraped && !found.job;
      await output.list(found.results, isHere ? PAGE_COLUMNS : COLUMNS, 'Nothing was found.');
      if (flags.quiet) return;
      for (const { message } of found.warnings)
        cli.terminal.warn(` ${message}\n`, cli.terminal.style('yellow', 'warning:'));
      if (found.job) cli.terminal.warn(`A job scrapes them: gleaner job results ${found.job.id}\n`);
    });
}
