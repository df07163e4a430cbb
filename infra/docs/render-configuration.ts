import { type ConfigTable, renderConfigMarkdown } from '@gleaner/config';
import { BROKER_SETTINGS, COMMON_SETTINGS, DATABASE_SETTINGS } from '@gleaner/service-kit';
import { GATEWAY_SETTINGS } from '../../services/gateway/src/config.ts';
import { ORCHESTRATOR_SETTINGS } from '../../services/job-orchestrator/src/config.ts';
import { SCHEDULER_SETTINGS } from '../../services/scheduler/src/config.ts';
import { SCRAPER_SETTINGS } from '../../services/scraper/src/config.ts';
import { NOTIFIER_SETTINGS } from '../../services/webhook-notifier/src/config.ts';
import { STACK_SETTINGS } from '../stack/settings.ts';

/** The tables of settings, in the order of the page. */
const SECTIONS: readonly { readonly title: string; readonly about: string; readonly table: ConfigTable }[] = [
  { title: 'npm start', about: 'The whole of Gleaner on one machine.', table: STACK_SETTINGS },
  { title: 'gateway', about: 'The REST interface.', table: GATEWAY_SETTINGS },
  { title: 'scraper', about: 'Fetches pages and takes data out of them.', table: SCRAPER_SETTINGS },
  {
    title: 'job-orchestrator',
    about: 'Creates jobs, dispatches their pages, collects what comes of them and finishes them.',
    table: ORCHESTRATOR_SETTINGS,
  },
  {
    title: 'scheduler',
    about: 'Starts the runs of schedules.',
    table: SCHEDULER_SETTINGS,
  },
  {
    title: 'webhook-notifier',
    about: 'Tells webhooks what became of jobs.',
    table: NOTIFIER_SETTINGS,
  },
  {
    title: 'Every service',
    about: 'Beside its own settings, each service takes these.',
    table: { ...BROKER_SETTINGS, ...DATABASE_SETTINGS, ...COMMON_SETTINGS },
  },
];

/** The configuration reference as Markdown, from the tables that the services read. */
export function renderConfiguration(): string {
  const sections = SECTIONS.map(
    ({ title, about, table }) => `## ${title}\n\n${about}\n\n${renderConfigMarkdown(table)}`,
  );
  return `# Configuration

Everything is configured by environment variables. A service that is told something wrong does not start: it lists every
fault at once. \`--help\` after a service's command, or \`npm start -- --help\`, prints its table.

${sections.join('\n')}`;
}
