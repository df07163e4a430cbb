import { buffer } from 'node:stream/consumers';
import type { PageCommand } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { checkScreenshotsNow, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

const PNG = Buffer.alloc(2_000_000, 'pixels');

/** Reports a page that was found with a screenshot, as often as asked. */
async function reportWithScreenshot(
  command: PageCommand,
  { times = 1, image = PNG } = {},
): Promise<undefined> {
  const { jobId, pageId, attempt } = command;
  const outcome = found(command);
  if (outcome.kind !== 'found') throw new Error('Not found.');
  const message = { jobId, pageId, attempt, outcome, screenshot: image.toString('base64') };
  const errors = await bed.broker.publishWork('pages.screenshots', Array(times).fill(message));
  expect(errors.every((error) => error === undefined)).toBe(true);
}

/** Counts the records, files and chunks of screenshots in the database. */
async function kept(): Promise<number[]> {
  const names = ['screenshots', 'screenshots.files', 'screenshots.chunks'];
  return await Promise.all(names.map((name) => bed.count(name)));
}

async function untilKept(counts: readonly number[]): Promise<void> {
  await eventually(async () => expect(await kept()).toEqual(counts));
}

async function screenshotIdOf(jobId: string): Promise<string> {
  return String(await bed.stores.results.findScreenshotId({ id: pageIdOf(jobId, 0), attempt: 1 }));
}

describe('screenshots of a job', () => {
  it('are stored, and their results contain their paths', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => reportWithScreenshot(body));
    const { id } = await bed.create({ urls: urlsOf(2) });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ creditsUsed: 2 });
    const pages = await bed.stores.pages.findProcessed(id, { limit: 2 });
    const texts = [...(await bed.stores.results.findResults(pages)).values()];
    expect(texts.map((text) => JSON.parse(text).screenshotUrl).sort()).toEqual([
      `/v1/jobs/${id}/results/0/screenshot`,
      `/v1/jobs/${id}/results/1/screenshot`,
    ]);
    const screenshot = await bed.stores.screenshots.findScreenshot(await screenshotIdOf(id));
    expect(screenshot && (await buffer(screenshot.open())).equals(PNG)).toBe(true);
  });

  it.each([
    ['ffd8ffe0', 'jpeg'],
    ['524946460a00000057454250', 'webp'],
    ['89504e470d0a1a0a', 'png'],
    ['00', 'png'],
  ])('that begin with %s are kept as %s', async (hex, format) => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => reportWithScreenshot(body, { image: Buffer.from(hex, 'hex') }));
    const { id } = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(id, 'completed');
    expect(await bed.stores.screenshots.findScreenshot(await screenshotIdOf(id))).toMatchObject({ format });
  });

  it('that come several times are stored once in the end, and late ones leave nothing', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => reportWithScreenshot(body, { times: 4 }));
    const { id } = await bed.create({ urls: urlsOf(1) });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ creditsUsed: 1 });
    const [command] = scraper.commands;
    if (!command) throw new Error('No page was sent.');
    await reportWithScreenshot(command, { image: Buffer.from('late') });
    await eventually(
      async () => {
        await checkScreenshotsNow(bed);
        expect(await kept()).toEqual([1, 1, 2]);
      },
      { timeoutMs: 240_000 },
    );
    expect(await bed.stores.screenshots.findScreenshot(await screenshotIdOf(id))).not.toBeNull();
  });

  it('whose upload was interrupted, or whose page succeeded without them, are removed', async () => {
    scraper.follow(({ body }) => (body.attempt === 1 ? { kind: 'lost' } : reportWithScreenshot(body)));
    await bed.startOrchestrator();
    const job = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(job.id, 'completed');
    const stray = {
      jobId: job.id,
      id: pageIdOf(job.id, 0),
      attempt: 1,
      image: PNG,
      format: 'png' as const,
      checkAt: new Date(Date.now() + 60_000),
    };
    await bed.stores.screenshots.insertScreenshot(stray);
    await bed.stores.screenshots.insertScreenshot({ ...stray, jobId: 'job_gone', id: 'job_gone:00000' });
    await checkScreenshotsNow(bed);
    await untilKept([1, 1, 2]);
  });

  it('are deleted with their job', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => reportWithScreenshot(body));
    const { id } = await bed.create({ urls: urlsOf(1) });
    await bed.untilJob(id, 'completed');
    // More than one if the page was attempted again.
    for (const count of await kept()) expect(count).toBeGreaterThan(0);
    await bed.database.models.jobs.updateOne({ _id: id }, { $set: { retainedUntil: new Date(0) } });
    await eventually(async () => {
      await checkScreenshotsNow(bed);
      expect(await kept()).toEqual([0, 0, 0]);
    });
  });
});
