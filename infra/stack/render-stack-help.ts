import { renderHelp } from '@gleaner/config';
import { STACK_SETTINGS } from '../configuration/stack-settings.ts';

/** Renders the settings of `npm start`, then those of the services that it passes on. */
export async function renderStackHelp(): Promise<string> {
  // Loaded here only: it brings the configuration of every service.
  const { CONFIGURATION_SECTIONS } = await import('../configuration/configuration-sections.ts');
  const services = CONFIGURATION_SECTIONS.filter(({ table }) => table !== STACK_SETTINGS);
  const tables = services.map(({ title, table }) => {
    const own = Object.entries(table).filter(([name]) => !(name in STACK_SETTINGS));
    return renderHelp(title, Object.fromEntries(own));
  });
  return [
    renderHelp('npm start', STACK_SETTINGS),
    'Settings of the services work here as well, for instance: RATE_LIMIT_SCRAPE=500 npm start\n',
    ...tables,
  ].join('\n');
}
