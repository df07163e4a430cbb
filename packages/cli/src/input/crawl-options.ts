import type { CreateJobRequest } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { CRAWL_SCOPES, SITEMAP_MODES } from '../generated/words.ts';
import { collect, parseCount, splitList } from './option-values.ts';
import { withoutUndefined } from './page-options.ts';
import { readJsonObject } from './read-text.ts';

/** Options for the links to follow or list, as commander reads them. */
export interface ReachFlags {
  readonly scope?: string;
  readonly include?: string[];
  readonly exclude?: string[];
  readonly ignoreQuery?: true | string[];
  readonly sitemap?: string;
  readonly ignoreRobots?: boolean;
}

/** Options of a crawl, as commander reads them. */
export interface CrawlFlags extends ReachFlags {
  readonly limit?: number;
  readonly maxDepth?: number;
  readonly delay?: number;
  readonly concurrency?: number;
  readonly maxCredits?: number;
  readonly maxDuration?: number;
  readonly since?: string;
  readonly changes?: boolean;
  readonly crawl?: string;
}

type CrawlOptions = NonNullable<CreateJobRequest['crawl']>;

/** Adds the options of a crawl. */
export function addCrawlOptions(command: Command): Command {
  command
    .optionsGroup('Crawl:')
    .option('--limit <n>', 'most pages with a result; default 1000', parseCount)
    .option('--max-depth <n>', 'most links between a start page and a page; default 10', parseCount);
  return addReachOptions(command, 'pages')
    .option('--delay <ms>', 'time between two pages of a host', parseCount)
    .option('--concurrency <n>', 'pages of a host in flight at once', parseCount)
    .option('--max-credits <n>', 'start no page that might cost more', parseCount)
    .option('--max-duration <ms>', 'start no page later', parseCount)
    .option('--crawl <file>', 'further options as a JSON file, such as rules; - is the standard input')
    .optionsGroup('Options:');
}

/** Adds the options for the links of a crawl or a map. */
export function addReachOptions(command: Command, noun: 'pages' | 'URLs'): Command {
  return command
    .addOption(
      new Option('--scope <scope>', 'reach: path, host, domain or any; default host').choices(CRAWL_SCOPES),
    )
    .option('--include <glob>', `only ${noun} that match, such as '/posts/**'; repeatable`, collect)
    .option('--exclude <glob>', `no ${noun} that match, such as '**/print'; repeatable`, collect)
    .option(
      '--ignore-query [names]',
      'query parameters that make no other page: all, or names separated by commas',
      splitList,
    )
    .addOption(
      new Option('--sitemap <mode>', `${noun} of sitemaps: include, skip or only`).choices(SITEMAP_MODES),
    )
    .option('--ignore-robots', 'do not obey robots.txt, where the operator allows it');
}

/**
 * Converts the options for the API: options of the command line override the ones of the file; empty when
 * none was given.
 */
export async function readCrawlOptions(flags: CrawlFlags, cli: Pick<Cli, 'terminal'>): Promise<CrawlOptions> {
  const fromFile = flags.crawl === undefined ? {} : await readJsonObject(flags.crawl, EXAMPLE, cli);
  const { limit, maxDepth, delay, concurrency, maxCredits, maxDuration, since, changes } = flags;
  const own = { limit, maxDepth, delay, concurrency, maxCredits, maxDuration, since, changes };
  return { ...fromFile, ...withoutUndefined({ ...readReach(flags), ...own }) } as CrawlOptions;
}

/** Converts the options for the links of a crawl or a map; missing ones are undefined. */
export function readReach({ scope, include, exclude, ignoreQuery, sitemap, ignoreRobots }: ReachFlags) {
  return { scope, include, exclude, ignoreQuery, sitemap, robots: ignoreRobots ? 'ignore' : undefined };
}

const EXAMPLE =
  'Write the options of a crawl: {"rules": [{"match": "/posts/*", "selectors": {"title": "h1"}}]}';
