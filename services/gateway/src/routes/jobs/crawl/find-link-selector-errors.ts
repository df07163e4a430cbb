import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CrawlOptions, ErrorDetail } from '@gleaner/contracts';
import { findSelectorError } from '@gleaner/extraction';

/** Finds the errors of the CSS selectors by which rules choose links; other calls get their turn between two rules. */
export async function findLinkSelectorErrors({ rules = [] }: CrawlOptions): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  for (const [index, { follow, next }] of rules.entries()) {
    const selectors: [path: string, selector: string][] =
      typeof follow === 'object' ? follow.map((selector, at) => [`follow.${at}`, selector]) : [];
    if (next !== undefined) selectors.push(['next', next]);
    for (const [path, selector] of selectors) {
      const message = findSelectorError(selector);
      if (message !== undefined) details.push({ path: `crawl.rules.${index}.${path}`, message });
    }
    await nextTurn();
  }
  return details;
}
