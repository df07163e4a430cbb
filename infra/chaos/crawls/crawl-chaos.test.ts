import { expect, it } from '@jest/globals';
import { listFindings } from '../check/findings.ts';
import { runCrawlChaos } from './run-crawl-chaos.ts';

it('finds exactly the pages of a graph, and later its changes, while processes are killed', async () => {
  const { crawls, findings } = await runCrawlChaos({
    ...{ seed: 5, faults: 4, pages: 150, brokerKind: 'embedded' },
    print: () => {},
  });
  expect(listFindings({ ...findings, late: [] })).toEqual([]);
  expect(crawls).toHaveLength(13);
}, 600_000);
