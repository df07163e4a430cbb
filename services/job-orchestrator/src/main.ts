import { runService } from '@gleaner/service-kit';
import { ORCHESTRATOR_SETTINGS } from './config.ts';
import { startOrchestrator } from './start-orchestrator.ts';

await runService({
  name: 'job-orchestrator',
  config: ORCHESTRATOR_SETTINGS,
  uses: ['broker', 'database'],
  start: startOrchestrator,
});
