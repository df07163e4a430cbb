import {
  FIRECRAWL_ACTIONS,
  FIRECRAWL_BATCH,
  FIRECRAWL_CRAWL,
  FIRECRAWL_EXTRACT,
  FIRECRAWL_FORMATS,
  FIRECRAWL_LABELS,
  FIRECRAWL_MAP,
  FIRECRAWL_MISSING,
  FIRECRAWL_PARSE,
  FIRECRAWL_SCRAPE,
  FIRECRAWL_SCRAPE_OPTIONS,
  FIRECRAWL_SEARCH,
  FIRECRAWL_V1_BATCH,
  FIRECRAWL_V1_CRAWL,
  FIRECRAWL_V1_MAP,
  FIRECRAWL_V1_SCRAPE,
  FIRECRAWL_V1_SEARCH,
  type FirecrawlOptions,
} from '@gleaner/contracts';

/** Renders the sections of the page about Firecrawl's API, from the tables that the gateway translates by. */
export function renderFirecrawl(): Readonly<Record<string, string>> {
  return {
    scrape: tableOf(FIRECRAWL_SCRAPE),
    formats: tableOf(FIRECRAWL_FORMATS, 'format'),
    actions: tableOf(FIRECRAWL_ACTIONS, 'action'),
    batch: tableOf(without(FIRECRAWL_BATCH, FIRECRAWL_SCRAPE_OPTIONS)),
    crawl: tableOf(FIRECRAWL_CRAWL),
    map: tableOf(FIRECRAWL_MAP),
    search: tableOf(FIRECRAWL_SEARCH),
    extract: tableOf(FIRECRAWL_EXTRACT),
    parse: tableOf(FIRECRAWL_PARSE),
    v1: tableOf({
      ...without(FIRECRAWL_V1_SCRAPE, FIRECRAWL_SCRAPE),
      ...without(FIRECRAWL_V1_BATCH, FIRECRAWL_BATCH),
      ...without(FIRECRAWL_V1_CRAWL, FIRECRAWL_CRAWL),
      ...without(FIRECRAWL_V1_MAP, FIRECRAWL_MAP),
      ...without(FIRECRAWL_V1_SEARCH, FIRECRAWL_SEARCH),
    }),
    missing: [
      '| endpoint | instead |',
      '|---|---|',
      ...FIRECRAWL_MISSING.map(
        ({ path, note }) => `| \`${path}${path.endsWith('/') ? '…' : ''}\` | ${note} |`,
      ),
    ].join('\n'),
  };
}

/** Words for what becomes of an option. */
const FATES = { translated: 'becomes', ignored: 'accepted', refused: 'refused' } as const;

/** Renders options as a table: translated ones first, then ignored ones, then rejected ones. */
function tableOf(options: FirecrawlOptions, name = 'option'): string {
  const rows = Object.entries(FATES).flatMap(([fate, word]) =>
    Object.entries(options).flatMap(([option, { fate: own, note }]) =>
      own === fate && !FIRECRAWL_LABELS.includes(option)
        ? [`| \`${option}\` | ${word} | ${note.replaceAll('|', '\\|')} |`]
        : [],
    ),
  );
  return [`| ${name} | | |`, '|---|---|---|', ...rows].join('\n');
}

/** Returns the options that are not among others. */
function without(options: FirecrawlOptions, others: FirecrawlOptions): FirecrawlOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in others)));
}
