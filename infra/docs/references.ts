import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROWS } from '../monitoring/panels.ts';
import { renderDashboard } from '../monitoring/render-dashboard.ts';
import { renderClientMethods } from './render-client-methods.ts';
import { renderClientOperations, renderClientTypes } from './render-client-types.ts';
import { renderCommands } from './render-commands.ts';
import { renderConfiguration } from './render-configuration.ts';
import { renderErrors } from './render-errors.ts';
import { renderTools } from './render-tools.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COMMAND_PAGE = join(ROOT, 'docs/command-line.md');
const CLIENT_PAGE = join(ROOT, 'docs/client.md');
const TOOLS_PAGE = join(ROOT, 'docs/mcp.md');
const CLIENT = join(ROOT, 'packages/client/src/generated');

/** A file that is generated from code. */
export interface Reference {
  readonly file: string;
  readonly render: () => string | Promise<string>;
}

/** The files that `npm run docs` generates from code. A test compares them with the code. */
export const REFERENCES: readonly Reference[] = [
  { file: join(ROOT, 'docs/errors.md'), render: renderErrors },
  { file: join(ROOT, 'docs/configuration.md'), render: renderConfiguration },
  { file: COMMAND_PAGE, render: () => fillSections(COMMAND_PAGE, { ...renderCommands() }) },
  { file: CLIENT_PAGE, render: () => fillSections(CLIENT_PAGE, { methods: renderClientMethods() }) },
  { file: TOOLS_PAGE, render: () => fillSections(TOOLS_PAGE, { tools: renderTools() }) },
  { file: join(ROOT, 'infra/monitoring/dashboard.json'), render: () => renderDashboard(ROWS) },
  { file: join(CLIENT, 'openapi.ts'), render: renderClientTypes },
  { file: join(CLIENT, 'operations.ts'), render: renderClientOperations },
];

/** Returns the page with the text between the comments `<!-- name -->` and `<!-- /name -->` replaced, for every name. */
function fillSections(file: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce(
    (page, [name, text]) => fillSection(page, name, text, file),
    readFileSync(file, 'utf8'),
  );
}

function fillSection(page: string, name: string, text: string, file: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has no section ${name}.`);
  return before + start + text + end + after;
}
