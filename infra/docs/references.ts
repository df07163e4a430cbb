import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderConfigMarkdown } from '@gleaner/config';
import {
  CREDIT_PRICES,
  type CreditItem,
  ERROR_CODES,
  ERROR_TABLE,
  SIGNAL_CODES,
  SIGNAL_TABLE,
} from '@gleaner/contracts';
import { TOOLS, type Tool } from '@gleaner/mcp';
import { CONFIGURATION_SECTIONS } from '../configuration/configuration-sections.ts';
import { CHART_TEMPLATES } from '../kubernetes/render-chart.ts';
import { ROWS } from '../monitoring/panels.ts';
import { renderDashboard } from '../monitoring/render-dashboard.ts';
import { renderClientMethods } from './render-client-methods.ts';
import { renderClientOperations, renderClientTypes } from './render-client-types.ts';
import { renderFirecrawl } from './render-firecrawl.ts';
import { renderCommandFlags, renderCommandWords, renderShownFlags } from './render-flags.ts';
import { renderPythonAsync, renderPythonMethods } from './render-python-methods.ts';
import { renderPythonErrors, renderPythonOperations, renderPythonTypes } from './render-python-types.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CREDIT_PAGE = join(ROOT, 'docs/credits.md');
const VERDICT_PAGE = join(ROOT, 'docs/verdicts.md');
const PRINT_REFERENCE = join(ROOT, 'packages/cli/src/print-reference.ts');
const COMMAND_PAGE = join(ROOT, 'docs/command-line.md');
const CLIENT_PAGE = join(ROOT, 'docs/client.md');
const FIRECRAWL_PAGE = join(ROOT, 'docs/firecrawl.md');
const TOOLS_PAGE = join(ROOT, 'docs/mcp.md');
const CLIENT = join(ROOT, 'packages/client/src/generated');
const PYTHON_PAGE = join(ROOT, 'docs/python.md');
const PYTHON_CLIENT = join(ROOT, 'packages/client-python/src/gleaner_client/_generated');

/** A file that is generated from code. */
export interface Reference {
  readonly file: string;
  readonly render: () => string | Promise<string>;
}

/** The files that `npm run docs` generates from code. A test compares them with the code. */
export const REFERENCES: readonly Reference[] = [
  // The command line prints its help from these.
  { file: join(ROOT, 'packages/cli/src/generated/page-flags.ts'), render: renderCommandFlags },
  { file: join(ROOT, 'packages/cli/src/generated/words.ts'), render: renderCommandWords },
  { file: join(ROOT, 'packages/console/src/generated/page-flags.ts'), render: renderShownFlags },
  { file: join(ROOT, 'docs/errors.md'), render: renderErrors },
  { file: CREDIT_PAGE, render: () => fillSections(CREDIT_PAGE, { prices: renderPrices() }) },
  { file: VERDICT_PAGE, render: () => fillSections(VERDICT_PAGE, { signals: renderSignals() }) },
  { file: join(ROOT, 'docs/configuration.md'), render: renderConfiguration },
  {
    file: COMMAND_PAGE,
    render: () => fillSections(COMMAND_PAGE, { codes: renderCommands().codes }),
  },
  { file: join(ROOT, 'docs/command-reference.md'), render: renderCommandReference },
  { file: CLIENT_PAGE, render: () => fillSections(CLIENT_PAGE, { methods: renderClientMethods() }) },
  { file: PYTHON_PAGE, render: () => fillSections(PYTHON_PAGE, { methods: renderPythonMethods() }) },
  { file: FIRECRAWL_PAGE, render: () => fillSections(FIRECRAWL_PAGE, renderFirecrawl()) },
  { file: TOOLS_PAGE, render: () => fillSections(TOOLS_PAGE, { tools: renderTools() }) },
  { file: join(ROOT, 'infra/monitoring/dashboard.json'), render: () => renderDashboard(ROWS) },
  ...CHART_TEMPLATES.map(({ name, render }) => ({
    file: join(ROOT, 'infra/kubernetes/helm/templates', name),
    render,
  })),
  { file: join(CLIENT, 'openapi.ts'), render: renderClientTypes },
  { file: join(CLIENT, 'operations.ts'), render: renderClientOperations },
  { file: join(PYTHON_CLIENT, 'openapi.py'), render: renderPythonTypes },
  { file: join(PYTHON_CLIENT, 'operations.py'), render: renderPythonOperations },
  { file: join(PYTHON_CLIENT, 'errors.py'), render: renderPythonErrors },
  { file: join(PYTHON_CLIENT, 'asynchronous.py'), render: renderPythonAsync },
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

/** Parts of the pages about the command line that come from its code. */
interface CommandSections {
  readonly codes: string;
  readonly helps: string;
}

/** Renders the exit codes and the help of every command, as the command line itself prints them. */
function renderCommands(): CommandSections {
  const env = { NO_COLOR: '1', COLUMNS: '80' };
  const args = ['--disable-warning=ExperimentalWarning', PRINT_REFERENCE];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env })) as CommandSections;
}

function renderCommandReference(): string {
  return `# Commands

The help of every command, as \`--help\` prints it. [command-line.md](command-line.md) is the guide.

${renderCommands().helps}
`;
}

/** Renders the configuration reference as Markdown, from the tables that the services read. */
function renderConfiguration(): string {
  const sections = CONFIGURATION_SECTIONS.map(
    ({ title, about, table }) => `## ${title}\n\n${about}\n\n${renderConfigMarkdown(table)}`,
  );
  return `# Configuration

Everything is configured by environment variables. A service with invalid settings does not start; it lists every error at
once. \`npm start\` passes the settings of the services on, so \`RATE_LIMIT_SCRAPE=500 npm start\` works. \`--help\` after a
service's command prints its settings, and \`npm start -- --help\` prints all of them.

${sections.join('\n')}`;
}

/** Renders the prices of the parts of a scrape as a table. */
function renderPrices(): string {
  const items: readonly CreditItem[] = ['base', 'render', 'screenshot', 'proxy', 'antiBot'];
  const rows = items.map((item) => `| ${CREDIT_PRICES[item].text} | ${CREDIT_PRICES[item].credits} |`);
  return ['| part | credits |', '|---|---|', ...rows].join('\n');
}

/** Renders the tools as a table: what each does, its arguments, its scope, and what hosts are told about it. */
function renderTools(): string {
  const rows = TOOLS.map(
    (tool) =>
      `| \`${tool.name}\` | ${tool.description.replaceAll('|', '\\|')} | ${argumentsOf(tool)} | \`${tool.scope}\` | ${hintsOf(tool)} |`,
  );
  return ['| tool | what it does | arguments | scope | hints |', '|---|---|---|---|---|', ...rows].join('\n');
}

function argumentsOf({ input: { properties = {}, required = [] } }: Tool): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `**${name}**` : name))
    .join(', ');
}

function hintsOf({ annotations }: Tool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    readOnlyHint ? 'read-only' : destructiveHint ? 'destructive' : 'spends credits',
    ...(idempotentHint ? ['repeatable'] : []),
    ...(openWorldHint ? ['fetches'] : []),
  ].join(', ');
}

/** Renders the error reference as Markdown, one row per code, from the table that the service uses. */
function renderErrors(): string {
  const rows = ERROR_CODES.map((code) => {
    const { httpStatus, source, isRetryable, when, suggestion } = ERROR_TABLE[code];
    return `| \`${code}\` | ${httpStatus} | ${source} | ${isRetryable ? 'yes' : 'no'} | ${inCell(when)} | ${inCell(suggestion)} |`;
  });
  return `# Errors

Every error response has this body and the header \`X-Request-Id\`:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "NOT_FOUND",
    "message": "The site answered 404 Not Found for https://example.com/gone.",
    "suggestion": "Open the URL in a browser to check that the page exists.",
    "source": "target",
    "targetStatusCode": 404,
    "attempts": [{ "engine": "http", "statusCode": 404, "outcome": "NOT_FOUND", "durationMs": 41 }],
    "requestId": "req_01jd8x3q4r5s6t7v8w9xayazb0"
  }
}
\`\`\`

\`source\` is \`api\` where this service refused or failed, and \`target\` where the page did: a 404 or 429 of the
target cannot be mistaken for ours. \`details\` lists each error of a body or query. \`targetStatusCode\` is the HTTP status
of the target, where it answered; \`attempts\` lists the attempts of a scrape that failed; \`verdict\` is the
[kind of the page](verdicts.md), where the error is about its content. The \`error\` of a failed URL
in the results of a job has the same fields. A failure costs no credits.

| code | HTTP | source | may succeed later | when | what to do |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** Renders the signals of verdicts as a table, in the order in which they decide. */
function renderSignals(): string {
  const rows = SIGNAL_CODES.map((code) => {
    const { page, basis, when } = SIGNAL_TABLE[code];
    return `| \`${code}\` | \`${page}\` | ${basis} | ${inCell(when)} |`;
  });
  return ['| code | page | basis | when |', '|---|---|---|---|', ...rows].join('\n');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
