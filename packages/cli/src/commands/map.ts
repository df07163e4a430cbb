import { type BodyOf, type ResultOf, withScheme } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { addReachOptions, type ReachFlags, readReach } from '../input/crawl-options.ts';
import { parseCount } from '../input/option-values.ts';
import { withoutUndefined } from '../input/page-options.ts';
import { addDryRun, type DryRunFlags, isDryRun, printEstimate } from '../output/print-estimate.ts';
import type { Column } from '../output/render-table.ts';

interface Flags extends ReachFlags, DryRunFlags, GlobalOptions {
  readonly limit?: number;
  readonly depth?: string;
  readonly search?: string;
  readonly maxCredits?: number;
  readonly timeout?: number;
  readonly sources?: boolean;
}

type Mapped = ResultOf<'map'>;

const URL_COLUMNS: readonly Column<Mapped['urls'][number]>[] = [
  { name: 'url', value: ({ url }) => url },
  { name: 'text', value: ({ text }) => text },
  { name: 'lastModified', value: ({ lastModified }) => lastModified },
  { name: 'foundOn', value: ({ foundOn }) => foundOn },
];

const SOURCE_COLUMNS: readonly Column<Mapped['sources'][number]>[] = [
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'url', value: ({ url }) => url },
  { name: 'found', value: ({ found }) => found },
  {
    name: 'remark',
    value: ({ error, verdict, redirectsTo, cutBecause }) =>
      error?.message ?? (redirectsTo === undefined ? (cutBecause ?? verdict) : `redirects to ${redirectsTo}`),
  },
];

/** `gleaner map <url>`: the URLs of a site. */
export function defineMap(command: Command, cli: Cli): void {
  command
    .argument('<url>', 'the page to start at; https:// may be left out')
    .option('--limit <n>', 'most URLs; default 5000', parseCount)
    .addOption(
      new Option(
        '--depth <n>',
        'pages whose links are read, each for a credit: 0 none, 1 the start page, 2 also those that it links to; default 1',
      ).choices(['0', '1', '2']),
    )
    .option('--search <words>', 'only URLs that have one of these words, or links with one; the best first');
  addReachOptions(addDryRun(command), 'URLs')
    .option('--max-credits <n>', 'most pages that are read', parseCount)
    .option('--timeout <ms>', 'time after which what was found is printed', parseCount)
    .option('--sources', 'print what was read instead of the URLs')
    .action(async (url: string, flags: Flags) => {
      const { limit, depth, search, maxCredits, timeout } = flags;
      const options = withoutUndefined({
        ...readReach(flags),
        limit,
        search,
        maxCredits,
        timeout,
        depth: depth === undefined ? undefined : Number(depth),
      });
      const body = { url: withScheme(url), ...options } as BodyOf<'map'>;
      // The depth tells it from a scrape.
      if (isDryRun(flags)) return await printEstimate({ depth: 1, ...body }, flags, cli);
      const { output, gleaner, call } = await cli.open(flags);
      const result = await gleaner.map(body, call);
      if (flags.sources) await output.list(result.sources, SOURCE_COLUMNS, 'Nothing was read.');
      else await output.list(result.urls, URL_COLUMNS, 'No URL was found.');
      for (const remark of flags.quiet ? [] : remarksOn(result))
        cli.terminal.warn(` ${remark}\n`, cli.terminal.style('yellow', 'warning:'));
    });
}

const STOPS: Readonly<Record<NonNullable<Mapped['stoppedBy']>, string>> = {
  limit: 'There are more URLs than the limit: raise --limit, or narrow them with --include.',
  timeout: 'The time ran out before everything was read.',
  maxCredits: '--max-credits ended the map: raise it to read more pages.',
  pages: 'There are more pages than a map reads: crawl the site for all of them.',
  sitemaps: 'There are more sitemaps than a map reads: crawl the site for all of them.',
  busy: 'The site was too busy to go on.',
};

/** Returns what a person should know beside the URLs. */
function remarksOn({ complete, stoppedBy, reason }: Omit<Mapped, 'success'>): string[] {
  if (reason !== undefined) return [reason];
  if (stoppedBy !== undefined) return [STOPS[stoppedBy]];
  return complete ? [] : ['Some pages or sitemaps could not be read: --sources lists them.'];
}
