import { LIMITS } from '@gleaner/contracts';
import { startBucket } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { untilStatus } from './read-deliveries.ts';
import { startTestBed } from './start-test-bed.ts';

it('results that need more files than a folder may have end the delivery', async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
  await using bucket = await startBucket();
  await using bed = await startTestBed({
    SINKS: `lake=s3://shop-data?endpoint=${bucket.url}`,
    // A busy machine may hold up the extension of a shorter lease.
    OVERDUE_AFTER_MS: '15000',
  });
  await bed.startNotifier();
  const cards = Array.from({ length: LIMITS.maxSinkParts + 1 }, (_, index) => ({ name: `${index}` }));
  const id = await bed.seedJob({
    // Smaller than requests can ask for.
    sink: { name: 'lake', format: 'csv', rows: 'cards', partBytes: 1 },
    selectors: { cards: { selector: 'li', all: true, fields: { name: 'b' } } },
    data: [JSON.stringify({ cards })],
  });
  await bed.announce(id);
  const delivery = await untilStatus(bed, id, 'failed', 1_200_000);
  expect(delivery?.reason).toBe('The results need more than 10,000 files: raise partBytes.');
  expect(bucket.written).toHaveLength(LIMITS.maxSinkParts);
  expect(bucket.written.filter((key) => key.endsWith('.json'))).toEqual([]);
}, 1_260_000);
