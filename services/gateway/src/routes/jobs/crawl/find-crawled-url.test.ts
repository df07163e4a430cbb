import type { StoredJob } from '@gleaner/storage';
import { expect, it } from '@jest/globals';
import { CrawlFilters } from './find-crawled-url.ts';

const crawlOf = (id: string, places = ['a.test']) => ({ id, crawl: { places } }) as unknown as StoredJob;

it('compiles the filter of a crawl again only when it has come to other places', () => {
  const filters = new CrawlFilters();
  const first = filters.filterOf(crawlOf('job_1'), { include: ['/a/**'] });
  expect(filters.filterOf(crawlOf('job_1'), { include: ['/a/**'] })).toBe(first);
  expect(filters.filterOf(crawlOf('job_2'), { include: ['/a/**'] })).not.toBe(first);
  const later = filters.filterOf(crawlOf('job_1', ['a.test', 'b.test']), {});
  expect(later.filter.admit(new URL('https://b.test/'))).toHaveProperty('link');
});

it('forgets the filters that were not used for longest', () => {
  const filters = new CrawlFilters();
  const [used, unused] = ['job_used', 'job_unused'].map((id) => filters.filterOf(crawlOf(id), {}));
  for (let index = 0; index < 150; index += 1) {
    filters.filterOf(crawlOf(`job_${index}`), {});
    expect(filters.filterOf(crawlOf('job_used'), {})).toBe(used);
  }
  expect(filters.filterOf(crawlOf('job_unused'), {})).not.toBe(unused);
});
