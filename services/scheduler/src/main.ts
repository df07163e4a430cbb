import { runService } from '@gleaner/service-kit';
import { SCHEDULER_SETTINGS } from './config.ts';
import { startScheduler } from './start-scheduler.ts';

await runService({
  name: 'scheduler',
  config: SCHEDULER_SETTINGS,
  uses: ['broker', 'database'],
  start: startScheduler,
});
