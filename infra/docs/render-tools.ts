import { TOOLS, type Tool } from '@gleaner/mcp';

/** Renders the tools as a table: what each does, its arguments, its scope, and what hosts are told about it. */
export function renderTools(): string {
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
