import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, report, type ScriptedScraper } from './scripted-scraper.ts';
import { pathOf, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

async function failuresOf(jobId: string) {
  const pages = await bed.stores.pages.findProcessed(jobId, { limit: 10_000 });
  return pages.flatMap(({ failure }) => (failure ? [failure] : []));
}

describe('maxCredits of a list of URLs', () => {
  it('ends the job before it costs more, and fails the other pages', async () => {
    await bed.startOrchestrator();
    const { id } = await bed.create({ urls: urlsOf(300), maxCredits: 40 });
    expect(await bed.untilJob(id, 'partial')).toMatchObject({
      completedUrls: 300,
      failedUrls: 260,
      creditsUsed: 40,
    });
    expect(scraper.commands).toHaveLength(40);
    expect(scraper.commands[0]?.request).toMatchObject({ maxCredits: 40 });
    const failures = await failuresOf(id);
    expect(failures).toHaveLength(260);
    expect(failures[0]).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      source: 'api',
      message: "The page was not fetched: it may cost 1, and less is left of the job's maxCredits of 40.",
    });
  });

  it('does not count pages that fail, and counts equal URLs once', async () => {
    await bed.startOrchestrator();
    scraper.follow(({ body }) => (Number(pathOf(body).slice(1)) < 3 ? failed('NOT_FOUND') : found(body)));
    const urls = urlsOf(10).flatMap((url) => [url, `${url}#again`]);
    const { id } = await bed.create({ urls, maxCredits: 4 });
    expect(await bed.untilJob(id, 'partial')).toMatchObject({ completedUrls: 20, creditsUsed: 4 });
    expect(scraper.commands).toHaveLength(7);
  });

  it('lets pages start as long as the most that one may cost is left', async () => {
    await bed.startOrchestrator();
    const { id } = await bed.create({ urls: urlsOf(10), antiBot: true, maxCredits: 20 });
    expect(await bed.untilJob(id, 'partial')).toMatchObject({ creditsUsed: 6, failedUrls: 4 });
  });

  it('ends nothing where it is enough', async () => {
    await bed.startOrchestrator();
    const { id } = await bed.create({ urls: urlsOf(10), maxCredits: 10 });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ creditsUsed: 10 });
  });

  it('is kept exactly by the next orchestrator, however often outcomes are reported', async () => {
    const first = await bed.startOrchestrator();
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      await gate.promise;
      for (let count = 0; count < 3; count++) await report(bed.broker, body, found(body));
      return undefined;
    });
    const { id } = await bed.create({ urls: urlsOf(60), maxCredits: 30 });
    await eventually(() => expect(scraper.commands.length).toBeGreaterThan(0));
    await first.stop(AbortSignal.timeout(30_000));
    await bed.startOrchestrator();
    gate.resolve();
    expect(await bed.untilJob(id, 'partial')).toMatchObject({ creditsUsed: 30, failedUrls: 30 });
    expect(await bed.stores.credits.sumCharges(`${id}:`)).toEqual({ operations: 30, credits: 30 });
    expect(new Set(scraper.commands.map(({ pageId }) => pageId)).size).toBe(30);
  });

  it('is used up although a crash has left more pages counted as started than there are', async () => {
    await bed.startOrchestrator();
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      await gate.promise;
      return found(body);
    });
    const { id } = await bed.create({ urls: urlsOf(30), maxCredits: 20 });
    await eventually(() => expect(scraper.commands.length).toBeGreaterThan(0));
    await bed.database.models.jobs.updateOne({ _id: id }, { $inc: { 'budget.started': 7 } });
    gate.resolve();
    expect(await bed.untilJob(id, 'partial')).toMatchObject({ creditsUsed: 20, failedUrls: 10 });
  });

  it('is not asked of an extraction from kept pages', async () => {
    await bed.startOrchestrator();
    const { id } = await bed.create({ urls: urlsOf(5), maxCredits: 2 }, {
      extractOf: 'job_01jd8x0000000000000000000',
    } as object);
    const [stored] = await bed.stores.jobs.findJobs([id]);
    expect(stored?.budget).toBeUndefined();
  });
});
