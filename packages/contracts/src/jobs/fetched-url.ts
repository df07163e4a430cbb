import { takingTurns } from '../async/taking-turns.ts';
import { mayRender, type ScrapeOptions } from '../scrape/scrape-request.ts';

/**
 * Returns the URL that is fetched for an entry of a job; entries with the same one are fetched once. HTTP carries no
 * fragment. A browser gets it, because pages may show something else for each (`#/items/7`).
 */
export function fetchedUrl(url: string, options: ScrapeOptions): string {
  const fetched = new URL(url);
  if (!mayRender(options)) fetched.hash = '';
  return fetched.href;
}

/** Returns the number of different URLs that are fetched for these entries of a job; other work gets its turn. */
export async function countFetchedUrls(urls: readonly string[], options: ScrapeOptions): Promise<number> {
  const fetched = new Set<string>();
  const takeTurns = takingTurns();
  for (const url of urls) {
    fetched.add(fetchedUrl(url, options));
    await takeTurns();
  }
  return fetched.size;
}
