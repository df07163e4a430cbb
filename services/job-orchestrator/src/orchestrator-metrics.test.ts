import { createMetrics } from '@gleaner/service-kit';
import { expect, it } from '@jest/globals';
import { createOrchestratorMetrics } from './orchestrator-metrics.ts';

it('shows the number of dead letters, or the last known one while the broker is unreachable', async () => {
  const counts = [Promise.resolve(3), Promise.reject(new Error('The broker is unreachable.'))];
  const metrics = createMetrics('job-orchestrator');
  createOrchestratorMetrics(metrics, {
    state: () => ({ isDispatching: true, activeJobs: 0, runningPages: 0, pausedHosts: 0 }),
    countDeadLetters: () => counts.shift() ?? Promise.resolve(0),
  });
  for (const shown of [3, 3, 0]) {
    const { text } = await metrics.render();
    expect(text).toContain(`gleaner_dead_letters{service="job-orchestrator"} ${shown}`);
  }
});
