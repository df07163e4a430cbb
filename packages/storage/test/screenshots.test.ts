import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Database, pageIdOf, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { LATER, NOW } from './store-job.ts';
import { useBackend } from './use-backend.ts';

describe.each(BACKENDS)('screenshots on $name', ({ start }) => {
  let database: Database;
  let stores: Stores;
  useBackend(start, (connected) => {
    database = connected;
    stores = createStores(connected);
  });

  it('stores and reads a screenshot in chunks, and deletes its record, file and chunks', async () => {
    const { screenshots, results } = stores;
    const jobId = createId('job');
    const attempt = { id: pageIdOf(jobId, 0), attempt: 1 };
    const image = randomBytes(2_500_000);
    const id = await screenshots.insertScreenshot({
      ...attempt,
      jobId,
      image,
      format: 'webp',
      checkAt: LATER,
    });
    const other = await screenshots.insertScreenshot({
      ...attempt,
      jobId,
      image: Buffer.from('b'),
      format: 'png',
      checkAt: NOW,
    });
    await results.insertResults([{ ...attempt, json: '1', screenshotId: id }], LATER);
    await results.insertResults([{ ...attempt, json: '2', screenshotId: other }], LATER);
    expect(await results.findScreenshotId(attempt)).toBe(id);
    expect(await results.findScreenshotId({ ...attempt, attempt: 2 })).toBeNull();
    const stored = await screenshots.findScreenshot(id);
    expect(stored).toMatchObject({ bytes: image.length, format: 'webp' });
    expect(await screenshots.findScreenshot(other)).toMatchObject({ format: 'png' });
    expect(stored && (await buffer(stored.open())).equals(image)).toBe(true);
    expect(await screenshots.findUnchecked(NOW, 10)).toMatchObject([{ id: other, jobId, attempt: 1 }]);
    await screenshots.checkLater(other, LATER);
    expect(await screenshots.findUnchecked(NOW, 10)).toEqual([]);
    for (const each of [id, id, other]) await screenshots.deleteScreenshot(each);
    expect(await screenshots.findScreenshot(id)).toBeNull();
    expect(await countIn('screenshots', 'screenshots.files', 'screenshots.chunks')).toEqual([0, 0, 0]);
  });

  it('finds and deletes an interrupted upload with its chunks', async () => {
    const jobId = createId('job');
    const attempt = { id: pageIdOf(jobId, 0), attempt: 1 };
    const image = randomBytes(1_500_000);
    const id = await stores.screenshots.insertScreenshot({
      ...attempt,
      jobId,
      image,
      format: 'webp',
      checkAt: NOW,
    });
    const { db } = database.models.screenshots;
    // State after a crash before the last write.
    await db.collection('screenshots.files').deleteMany({});
    expect(await stores.screenshots.findScreenshot(id)).toBeNull();
    expect(await stores.screenshots.findUnchecked(NOW, 10)).toMatchObject([{ id }]);
    await stores.screenshots.deleteScreenshot(id);
    expect(await countIn('screenshots', 'screenshots.chunks')).toEqual([0, 0]);
  });

  function countIn(...names: string[]): Promise<number[]> {
    const { db } = database.models.screenshots;
    return Promise.all(names.map((name) => db.collection(name).countDocuments()));
  }
});
