import type { ChangeFilter, PageResult } from '@gleaner/contracts';
import { type GraphChanges, pageKey } from '@gleaner/test-kit';
import type { Findings } from '../check/findings.ts';
import type { JobClient } from '../job-client.ts';
import { hasFinished, type WatchedCrawl } from './check-crawl.ts';

const KINDS: readonly ChangeFilter[] = ['new', 'changed', 'unchanged', 'gone', 'unlinked'];

/** Checks that a crawl that is compared with an earlier one reports exactly the pages that differ. */
export async function checkChanges(
  crawl: WatchedCrawl,
  expected: GraphChanges,
  client: Pick<JobClient, 'insist'>,
  findings: Findings,
): Promise<void> {
  const { id, name, history } = crawl;
  const told = history.at(-1)?.crawl?.changes;
  if (!hasFinished(crawl) || !told) {
    findings.other.push(`${name} (${id}) has no changes: ${JSON.stringify(history.at(-1))}`);
    return;
  }
  for (const kind of KINDS) {
    const path = `/v1/jobs/${id}/results?change=${kind}`;
    const { json } = await client.insist<PageResult[]>('GET', path);
    const found = new Set(json.map(({ url }) => pageKey(url)));
    if (found.size !== json.length) findings.doubled.push(`${name}: a page is ${kind} twice.`);
    for (const key of expected[kind].difference(found)) findings.lost.push(`${name}: ${key} is not ${kind}.`);
    for (const key of found.difference(expected[kind])) findings.other.push(`${name}: ${key} is ${kind}.`);
    if (told[kind] !== expected[kind].size)
      findings.other.push(`${name}: ${told[kind]} pages are ${kind}, ${expected[kind].size} by the graph.`);
  }
}
