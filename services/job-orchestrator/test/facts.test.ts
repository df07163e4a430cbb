import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { found } from './scripted-scraper.ts';
import { startTestBed } from './start-test-bed.ts';

it('tells which hosts are paused, and until when, in the orchestrator that dispatches', async () => {
  await using bed = await startTestBed();
  const first = await bed.startOrchestrator();
  await bed.create({ urls: ['http://a.test/'] });
  const untilMs = Date.now() + 60_000;
  const hint = {
    hasNewWork: false,
    endedPageIds: [],
    strainedPageIds: [],
    unstartedPageIds: [],
    grownJobIds: [],
  };
  const slowHosts = [
    { host: 'a.test', untilMs: untilMs - 10_000 },
    { host: 'b.test', untilMs },
  ];
  await eventually(async () => {
    await bed.broker.broadcast('dispatchHints', { ...hint, slowHosts });
    expect(first.facts?.()).toEqual({
      pausedHosts: [
        { host: 'b.test', until: new Date(untilMs).toISOString() },
        { host: 'a.test', until: new Date(untilMs - 10_000).toISOString() },
      ],
    });
  });
  const second = await bed.startOrchestrator();
  expect(second.facts?.()).toEqual({ pausedHosts: [] });
});

it('names the work that no message causes, so that a long turn can be told from others', async () => {
  await using bed = await startTestBed();
  await bed.startOrchestrator();
  const scraper = await bed.startScraper();
  scraper.follow(({ body }) => found(body));
  const selectors = { title: { selector: 'h1', expect: { fill: 1 } } } as const;
  const job = await bed.create({ urls: ['http://a.test/'], selectors });
  await bed.untilJob(job.id, 'completed');
  const names = ['dispatch', 'finish', 'review', 'reconcile', 'delete'];
  await eventually(() => expect([...bed.works]).toEqual(expect.arrayContaining(names)));
});
