import type { ConfigTable } from '@gleaner/config';
import { BROKER_SETTINGS, COMMON_SETTINGS, DATABASE_SETTINGS } from '@gleaner/service-kit';
import { GATEWAY_SETTINGS } from '../../services/gateway/src/config.ts';
import { ORCHESTRATOR_SETTINGS } from '../../services/job-orchestrator/src/config.ts';
import { SCHEDULER_SETTINGS } from '../../services/scheduler/src/config.ts';
import { SCRAPER_SETTINGS } from '../../services/scraper/src/config.ts';
import { NOTIFIER_SETTINGS } from '../../services/webhook-notifier/src/config.ts';
import { STACK_SETTINGS } from './stack-settings.ts';

/** The settings of one program. */
export interface ConfigurationSection {
  readonly title: string;
  readonly about: string;
  readonly table: ConfigTable;
}

/** The settings of every program, in the order of the reference. */
export const CONFIGURATION_SECTIONS: readonly ConfigurationSection[] = [
  { title: 'npm start', about: 'The whole of Gleaner on one machine.', table: STACK_SETTINGS },
  { title: 'gateway', about: 'The REST interface.', table: GATEWAY_SETTINGS },
  { title: 'scraper', about: 'Fetches pages and extracts data from them.', table: SCRAPER_SETTINGS },
  {
    title: 'job-orchestrator',
    about: 'Creates jobs, dispatches their pages, collects the results and finishes the jobs.',
    table: ORCHESTRATOR_SETTINGS,
  },
  {
    title: 'scheduler',
    about: 'Starts the runs of schedules.',
    table: SCHEDULER_SETTINGS,
  },
  {
    title: 'webhook-notifier',
    about: 'Sends the events of jobs to webhooks.',
    table: NOTIFIER_SETTINGS,
  },
  {
    title: 'Every service',
    about: 'Each service takes these besides its own settings.',
    table: { ...BROKER_SETTINGS, ...DATABASE_SETTINGS, ...COMMON_SETTINGS },
  },
];
