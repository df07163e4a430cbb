import type { ResultOf, ScheduleHealth } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { collect } from '../../input/option-values.ts';
import type { Column } from '../../output/render-table.ts';
import { fieldsOfSchedule } from './schedules.ts';

type Field = ScheduleHealth['fields'][number];

/** `gleaner schedule health <id>`. */
export function defineHealth(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the schedule').action(async (id: string, flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    const { terminal } = cli;
    const health = await gleaner.schedules.health(id, {}, call);
    if (output.format === 'json' || output.format === 'ndjson') return await output.json(health);
    await output.list(health.fields, COLUMNS, 'No run has been judged yet.');
    if (flags.quiet) return;
    terminal.warn(`${health.health}, judged by ${health.runs === 1 ? 'one run' : `${health.runs} runs`}\n`);
    for (const line of describeFallen(health)) terminal.warn(`${line}\n`);
  });
}

interface AcceptFlags extends GlobalOptions {
  readonly field?: string[];
}

/** `gleaner schedule accept <id>`: reads the suggestions and accepts them, if nothing has changed in between. */
export function defineAccept(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the schedule')
    .option('--field <path>', 'accept the suggestion for this field, verified or not; repeatable', collect)
    .action(async (id: string, flags: AcceptFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { terminal } = cli;
      const { suggestedFor } = await gleaner.schedules.health(id, { suggest: 'false' }, call);
      const fields = flags.field;
      const body = { suggestedFor, ...(fields && { fields }) };
      const { schedule, accepted, recipe } = await gleaner.schedules.acceptSuggestions(id, body, call);
      if (!flags.quiet) terminal.warn(`Accepted: ${accepted.join(', ')}\n`);
      if (!flags.quiet && recipe) terminal.warn(`${describeRepair(recipe)}\n`);
      await output.one(schedule, fieldsOfSchedule(schedule));
    });
}

/** Describes what a repair means for the recipe of the schedule. */
function describeRepair({
  version,
  isNew,
  red,
}: NonNullable<ResultOf<'acceptSuggestions'>['recipe']>): string {
  if (isNew) return `The tests of the recipe pass with them: it is ${version} now.`;
  return `The recipe stays ${version}: with them, these tests are red: ${red.join(', ')}`;
}

const COLUMNS: readonly Column<Field>[] = [
  { name: 'field', value: ({ path }) => path },
  { name: 'health', isWhole: true, value: ({ health }) => health },
  { name: 'measure', isWhole: true, value: ({ fallen }) => fallen?.measure },
  { name: 'before', isWhole: true, value: (field) => shown(field, 'before') },
  { name: 'now', isWhole: true, value: (field) => shown(field, 'now') },
  { name: 'since', isMinor: true, value: ({ fallen }) => fallen?.at },
];

/** Returns the fallen measure of a field; for other fields, the share of filled values, or their number. */
function shown({ fallen, ...field }: Field, when: 'before' | 'now'): string {
  const measures = field[when];
  if (!measures) return '';
  const isCount = fallen ? fallen.measure === 'count' : measures.count !== null;
  if (isCount) return String(measures.count ?? 0);
  const value = measures[fallen?.measure ?? 'fill'];
  return value === null ? '' : `${Math.round(value * 100)} %`;
}

/** Describes the remedy for each fallen field. */
function describeFallen({ scheduleId, fields, pages }: ScheduleHealth): string[] {
  const lines = fields.flatMap(({ path, fallen, suggestion, note }) => {
    if (!fallen) return [];
    if (!suggestion) return [`${path}: ${note ?? 'no suggestion'}`];
    const state = suggestion.isVerified ? 'verified on both pages' : 'not verified';
    return [
      `${path}: use ${JSON.stringify(suggestion.selector)} (${state}), which finds ${JSON.stringify(suggestion.now[0] ?? null)}`,
    ];
  });
  const hasSuggestion = fields.some(({ suggestion }) => suggestion !== undefined);
  const kept = pages.filter(({ good, bad }) => good && bad).map(({ url }) => url);
  return [
    ...lines,
    ...(hasSuggestion ? [`Accept with: gleaner schedule accept ${scheduleId}`] : []),
    ...(lines.length > 0 && kept.length > 0
      ? [`Pages kept as they were and as they are: ${kept.join(', ')}`]
      : []),
  ];
}
