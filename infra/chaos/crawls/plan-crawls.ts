import type { CrawlOptions } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { type ClosureEntry, closureOf, type RunningSiteGraph } from '@gleaner/test-kit';

/** A crawl to create, with all that it must find. */
export interface PlannedCrawl {
  readonly name: string;
  readonly crawl: CrawlOptions;
  /** Every page that belongs to it, as the graph itself says. */
  readonly closure: readonly ClosureEntry[];
  /** Number of results; fewer than the closure has if a limit ends the crawl. */
  readonly results: number;
}

/** Deeper than any graph. */
const DEEP = 100;

/** Plans crawls of one graph that differ in their options: whole, limited, filtered, from sitemaps, without robots.txt. */
export function planCrawls({ graph }: Pick<RunningSiteGraph, 'graph'>): PlannedCrawl[] {
  // The graph has few patterns of URLs, and all of its pages are wanted.
  const deep = { maxDepth: DEEP, limit: 2 * graph.size, concurrency: 32, maxPerPattern: 2 * graph.size };
  const whole = { ...deep, scope: 'any' as const };
  const wholeResults = withResults(closureOf(graph, whole)).length;
  const plans: Readonly<Record<string, CrawlOptions>> = {
    'the whole graph': whole,
    'a third of the graph': { ...whole, limit: Math.max(1, Math.floor(wholeResults / 3)) },
    'one host': { ...deep, scope: 'host' },
    'without the shop': { ...whole, exclude: ['/shop/**'] },
    'without sitemaps': { ...whole, sitemap: 'skip' },
    'without robots.txt': { ...whole, robots: 'ignore', sitemap: 'skip' },
    'sitemaps only': { ...deep, scope: 'host', sitemap: 'only' },
  };
  return Object.entries(plans).map(([name, crawl]) => {
    const closure = closureOf(graph, closureOptionsOf(crawl));
    return { name, crawl, closure, results: Math.min(crawl.limit ?? 1000, withResults(closure).length) };
  });
}

/** Returns the pages of a closure that have a result. */
export function withResults(closure: readonly ClosureEntry[]): ClosureEntry[] {
  return closure.filter(({ hasResult }) => hasResult);
}

function closureOptionsOf({ maxDepth = DEEP, scope, exclude, sitemap, robots }: CrawlOptions) {
  return {
    maxDepth,
    scope: scope === 'any' ? ('any' as const) : ('host' as const),
    ...defined({ exclude, sitemap, robots }),
  };
}
