import { join, resolve } from 'node:path';
import { fillSections } from './fill-sections.ts';
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
  { file: join(CLIENT, 'openapi.ts'), render: renderClientTypes },
  { file: join(CLIENT, 'operations.ts'), render: renderClientOperations },
];
