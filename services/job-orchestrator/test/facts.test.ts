import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
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
