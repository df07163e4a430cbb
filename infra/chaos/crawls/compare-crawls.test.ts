import type { ChangeFilter, CrawlWarning, Job } from '@gleaner/contracts';
import { pageKey } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import type { JobClient } from '../job-client.ts';
import { listFindings, noFindings } from '../report.ts';
import type { WatchedCrawl } from './check-crawl.ts';
import { checkChanges } from './compare-crawls.ts';

type Reported = Readonly<Record<ChangeFilter, readonly string[]>>;

const EXPECTED: Reported = {
  new: ['/n'],
  changed: ['/c'],
  unchanged: ['/u', '/l'],
  gone: ['/g'],
  unlinked: ['/l'],
};
const UNREAD = { code: 'SITEMAP_NOT_READ', message: 'It was given up.' } as CrawlWarning;

const urlOf = (path: string) => `http://a.test${path}`;

/** Returns the findings of the check for a crawl that reports these pages. */
async function findingsOf(reported: Partial<Reported>, warnings: readonly CrawlWarning[] = []) {
  const all = { ...EXPECTED, ...reported };
  const counts = Object.fromEntries(Object.entries(all).map(([kind, paths]) => [kind, paths.length]));
  const job = {
    status: 'completed',
    completedAt: '2026-01-01T00:00:00.000Z',
    crawl: { changes: counts, warnings },
  } as unknown as Job;
  const crawl = { id: 'job_1', name: 'crawl', history: [job] } as unknown as WatchedCrawl;
  const insist = async (_method: string, path: string) => {
    const kind = new URL(path, 'http://b.test').searchParams.get('change') as ChangeFilter;
    return { status: 200, json: all[kind].map((each) => ({ url: urlOf(each) })) };
  };
  const expected = Object.fromEntries(
    Object.entries(EXPECTED).map(([kind, paths]) => [
      kind,
      new Set(paths.map((each) => pageKey(urlOf(each)))),
    ]),
  );
  const findings = noFindings();
  await checkChanges(crawl, expected as never, { insist: insist as JobClient['insist'] }, findings);
  return listFindings(findings);
}

describe('the check of changes', () => {
  it('accepts exactly the changes of the graph', async () => {
    expect(await findingsOf({})).toEqual([]);
  });

  it('finds a page that is not called unlinked, and one that is', async () => {
    expect(await findingsOf({ unlinked: [] })).toHaveLength(1);
    expect(await findingsOf({ unlinked: ['/l', '/u'] })).toHaveLength(1);
  });

  it('accepts that no page is called unlinked, and some new ones are missing, where a sitemap was not read', async () => {
    expect(await findingsOf({ unlinked: [], new: [] }, [UNREAD])).toEqual([]);
  });

  it('finds a page that is called unlinked although a sitemap was not read, and a changed one that is missing', async () => {
    expect(await findingsOf({}, [UNREAD])).toHaveLength(1);
    expect(await findingsOf({ unlinked: [], changed: [] }, [UNREAD])).toHaveLength(1);
  });
});
