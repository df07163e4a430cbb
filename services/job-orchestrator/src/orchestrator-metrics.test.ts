import { setImmediate as nextTurn } from 'node:timers/promises';
import { createMetrics } from '@gleaner/service-kit';
import { expect, it } from '@jest/globals';
import type { Demand } from './measure/start-measuring.ts';
import { createOrchestratorMetrics } from './orchestrator-metrics.ts';

const IDLE = { planners: 1, activeJobs: 0, runningPages: 0, pausedHosts: 0 };
const unreachable = () => Promise.reject(new Error('The broker is unreachable.'));

it('shows the number of dead letters, or the last known one while the broker is unreachable', async () => {
  let count: () => Promise<number> = () => Promise.resolve(3);
  const metrics = createMetrics('job-orchestrator');
  createOrchestratorMetrics(metrics, {
    state: () => IDLE,
    countMessages: (queue) => (queue === 'dead-letters' ? count() : Promise.resolve(0)),
    countConsumers: unreachable,
    readDemand: () => Promise.resolve(undefined),
  });
  for (const [next, shown] of [
    [() => Promise.resolve(3), 3],
    [unreachable, 3],
    [() => Promise.resolve(0), 0],
  ] as const) {
    count = next;
    const { text } = await metrics.render();
    expect(text).toContain(`gleaner_dead_letters{service="job-orchestrator"} ${shown}`);
    expect(text).toContain(
      `gleaner_queue_messages{queue="dead-letters",service="job-orchestrator"} ${shown}`,
    );
    expect(text).not.toContain('gleaner_queue_consumers{');
  }
});

it('shows the same to two readers at once', async () => {
  const counted = Promise.withResolvers<void>();
  const metrics = createMetrics('job-orchestrator');
  createOrchestratorMetrics(metrics, {
    state: () => IDLE,
    async countMessages(queue) {
      if (queue === 'pages.results') await counted.promise;
      return 3;
    },
    countConsumers: async () => 2,
    readDemand: () => Promise.resolve(undefined),
  });
  const first = metrics.render();
  await nextTurn();
  const second = metrics.render();
  await nextTurn();
  counted.resolve();
  for (const { text } of [await first, await second]) {
    for (const queue of ['jobs.commands', 'pages.results', 'dead-letters']) {
      expect(text).toContain(`gleaner_queue_messages{queue="${queue}",service="job-orchestrator"} 3`);
    }
  }
});

it('shows the demand of each engine, and nothing while no orchestrator dispatches', async () => {
  const demand: Demand = {
    dispatchablePages: { http: 48, browser: 0 },
    longestWaitSeconds: { http: 12.5, browser: 0 },
  };
  for (const readDemand of [async () => demand, async () => undefined]) {
    const metrics = createMetrics('job-orchestrator');
    createOrchestratorMetrics(metrics, {
      state: () => IDLE,
      countMessages: async () => 0,
      countConsumers: async () => 2,
      readDemand,
    });
    const { text } = await metrics.render();
    const pages = /^gleaner_dispatchable_pages\{engine="http",service="job-orchestrator"\} (.*)$/m.exec(
      text,
    )?.[1];
    const wait = /^gleaner_oldest_waiting_page_seconds\{engine="http".*\} (.*)$/m.exec(text)?.[1];
    expect([pages, wait]).toEqual((await readDemand()) ? ['48', '12.5'] : [undefined, undefined]);
    expect(text).toContain('gleaner_queue_consumers{queue="pages.http",service="job-orchestrator"} 2');
  }
});
