import type { ChangeFilter, CrawlChanges, Job, PageResult } from '@gleaner/contracts';
import { type GraphChanges, pageKey } from '@gleaner/test-kit';
import type { Findings } from '../check/findings.ts';
import type { JobClient } from '../job-client.ts';
import { hasFinished, type WatchedCrawl } from './check-crawl.ts';

const KINDS: readonly ChangeFilter[] = ['new', 'changed', 'unchanged', 'gone', 'unlinked'];

/**
 * Checks that a crawl that is compared with an earlier one reports exactly the pages that differ. With a sitemap that was
 * given up, which it says in a warning, it may not know all new pages, and calls none unlinked.
 */
export async function checkChanges(
  crawl: WatchedCrawl,
  expected: GraphChanges,
  client: Pick<JobClient, 'insist'>,
  findings: Findings,
): Promise<void> {
  const { id, name, history } = crawl;
  const last = history.at(-1);
  const told = last?.crawl?.changes;
  if (!hasFinished(crawl) || !told) {
    findings.other.push(`${name} (${id}) has no changes: ${JSON.stringify(last)}`);
    return;
  }
  const isSure = !hasUnreadSitemap(last);
  for (const kind of KINDS) {
    const path = `/v1/jobs/${id}/results?change=${kind}`;
    const { json } = await client.insist<PageResult[]>('GET', path);
    const urls = json.map(({ url }) => pageKey(url));
    const due = kind === 'unlinked' && !isSure ? new Set<string>() : expected[kind];
    const mayLack = kind === 'new' && !isSure;
    compare({ name, kind, told, urls, due, mayLack }, findings);
  }
}

function hasUnreadSitemap({ crawl }: Job): boolean {
  return crawl?.warnings?.some(({ code }) => code === 'SITEMAP_NOT_READ') === true;
}

/** The pages of a crawl that have changed in one way. */
interface ChangedSo {
  readonly name: string;
  readonly kind: ChangeFilter;
  readonly told: CrawlChanges;
  readonly urls: readonly string[];
  readonly due: ReadonlySet<string>;
  /** Not all pages need to have been found. */
  readonly mayLack: boolean;
}

function compare({ name, kind, told, urls, due, mayLack }: ChangedSo, findings: Findings): void {
  const found = new Set(urls);
  if (found.size !== urls.length) findings.doubled.push(`${name}: a page is ${kind} twice.`);
  for (const key of found.difference(due)) findings.other.push(`${name}: ${key} is ${kind}.`);
  for (const key of mayLack ? [] : due.difference(found))
    findings.lost.push(`${name}: ${key} is not ${kind}.`);
  if (told[kind] !== found.size)
    findings.other.push(
      `${name}: ${told[kind]} pages are ${kind} by its counters, ${found.size} by its results.`,
    );
}
