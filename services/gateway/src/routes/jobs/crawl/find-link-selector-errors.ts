import type { CrawlOptions, ErrorDetail } from '@gleaner/contracts';
import { findSelectorError } from '@gleaner/extraction';

/** Finds the errors of the CSS selectors by which rules choose links. */
export function findLinkSelectorErrors({ rules = [] }: CrawlOptions): ErrorDetail[] {
  return rules.flatMap(({ follow, next }, index) => {
    const selectors: [path: string, selector: string][] =
      typeof follow === 'object' ? follow.map((selector, at) => [`follow.${at}`, selector]) : [];
    if (next !== undefined) selectors.push(['next', next]);
    return selectors.flatMap(([path, selector]) => {
      const message = findSelectorError(selector);
      return message === undefined ? [] : [{ path: `crawl.rules.${index}.${path}`, message }];
    });
  });
}
