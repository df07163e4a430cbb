import { renderConfigMarkdown } from '@gleaner/config';
import { CONFIGURATION_SECTIONS } from '../configuration/configuration-sections.ts';

/** Renders the configuration reference as Markdown, from the tables that the services read. */
export function renderConfiguration(): string {
  const sections = CONFIGURATION_SECTIONS.map(
    ({ title, about, table }) => `## ${title}\n\n${about}\n\n${renderConfigMarkdown(table)}`,
  );
  return `# Configuration

Everything is configured by environment variables. A service with invalid settings does not start; it lists every error at
once. \`npm start\` passes the settings of the services on, so \`RATE_LIMIT_SCRAPE=500 npm start\` works. \`--help\` after a
service's command prints its settings, and \`npm start -- --help\` prints all of them.

${sections.join('\n')}`;
}
