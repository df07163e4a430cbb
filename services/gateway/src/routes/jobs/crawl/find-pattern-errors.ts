import type { CrawlOptions, ErrorDetail, UrlPattern } from '@gleaner/contracts';
import { estimatePatternSize } from '@gleaner/extraction';
import { findUrlPatternError } from '@gleaner/frontier';

/** Most instructions of one pattern, and of all together: each takes microseconds to compile, and memory in every scraper. */
const MAX_SIZE = 4000;
const MAX_TOTAL_SIZE = 20_000;

interface PatternAt {
  readonly path: string;
  readonly pattern: UrlPattern;
}

/** Finds the errors of the patterns of a crawl. */
export function findPatternErrors(crawl: CrawlOptions): ErrorDetail[] {
  const patterns = patternsOf(crawl);
  const sizes = patterns.map(({ pattern }) => sizeOf(pattern));
  const tooLarge = patterns.filter((_pattern, index) => (sizes[index] ?? 0) > MAX_SIZE);
  if (tooLarge.length > 0) {
    const message = 'is too large: lower the repetition counts, such as {1,500}';
    return tooLarge.map(({ path }) => ({ path, message }));
  }
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_TOTAL_SIZE) {
    const message =
      'has patterns that are too large together: use fewer of them, or begin and end them with ** only where it is needed';
    return [{ path: 'crawl', message }];
  }
  return patterns.flatMap(({ path, pattern }) => {
    const message = findUrlPatternError(pattern);
    return message === undefined ? [] : [{ path, message }];
  });
}

function patternsOf({ include = [], exclude = [], rules = [] }: CrawlOptions): PatternAt[] {
  const at = (path: string) => (pattern: UrlPattern, index: number) => ({
    path: `${path}.${index}`,
    pattern,
  });
  return [
    ...include.map(at('crawl.include')),
    ...exclude.map(at('crawl.exclude')),
    ...rules.map(({ match: pattern }, index) => ({ path: `crawl.rules.${index}.match`, pattern })),
  ];
}

/** Returns about how many instructions a pattern compiles to; globs without `**` are compared without a program. */
function sizeOf(pattern: UrlPattern): number {
  if (typeof pattern !== 'string') return estimatePatternSize(pattern.regex);
  return pattern.includes('**') ? pattern.length : 0;
}
