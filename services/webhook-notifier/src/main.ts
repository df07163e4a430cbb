import { runService } from '@gleaner/service-kit';
import { NOTIFIER_SETTINGS } from './config.ts';
import { startNotifier } from './start-notifier.ts';

await runService({
  name: 'webhook-notifier',
  config: NOTIFIER_SETTINGS,
  uses: ['broker', 'database'],
  start: startNotifier,
});
