import {
  describeCondition,
  type Gleaner,
  hasFinished,
  type ResultOf,
  type Run,
  type Schedule,
} from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions, Opened } from '../../cli.ts';
import { CommandError } from '../../exit-codes.ts';
import { SCHEDULE_STATES } from '../../generated/words.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import type { Column } from '../../output/render-table.ts';
import { forOne } from '../for-one.ts';
import { addChangeOption, type ChangeFlags, describeOthers, printChanges } from '../job/changes.ts';
import { fieldsOfJob, JOB_COLUMNS } from '../job/columns.ts';
import { followJob } from '../job/follow-job.ts';

interface ScheduleListFlags extends ListFlags, GlobalOptions {
  readonly status?: 'active' | 'paused';
}

/** `gleaner schedule list`. */
export function defineList(command: Command, cli: Cli): void {
  addListOptions(command)
    .addOption(new Option('--status <status>', 'only schedules in this state').choices(SCHEDULE_STATES))
    .action(async (flags: ScheduleListFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const listing = gleaner.schedules.list({ status: flags.status }, call);
      const empty = flags.status
        ? `No schedule is ${flags.status}.`
        : "There are no schedules. Create one with: gleaner schedule create <url> --cron '0 9 * * *'";
      await output.list(take(listing, flags), SCHEDULE_COLUMNS, empty);
    });
}

/** `gleaner schedule show <id>`. */
export const defineShow = forOne('<id>', 'id of the schedule', async (id, { output, gleaner, call }) => {
  const schedule = await gleaner.schedules.get(id, call);
  await output.one(schedule, fieldsOfSchedule(schedule));
});

/** `gleaner schedule delete <id>`. */
export const defineDelete = forOne('<id>', 'id of the schedule', async (id, { output, gleaner, call }) => {
  await gleaner.schedules.delete(id, call);
  await output.note(`${id} is deleted; its jobs stay.`);
});

/** `gleaner schedule pause <id>`. */
export function definePause(command: Command, cli: Cli): void {
  define(command, cli, 'pause');
}

/** `gleaner schedule resume <id>`. */
export function defineResume(command: Command, cli: Cli): void {
  define(command, cli, 'resume');
}

function define(command: Command, cli: Cli, change: 'pause' | 'resume'): void {
  command.argument('<id>', 'id of the schedule').action(async (id: string, flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    const schedule = await gleaner.schedules[change](id, call);
    await output.one(schedule, fieldsOfSchedule(schedule));
  });
}

interface RunFlags extends GlobalOptions {
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

/** `gleaner schedule run <id>`. */
export function defineRun(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the schedule')
    .option('--idempotency-key <key>', 'starts the run once, however often the command runs with this key')
    .option('-w, --watch', 'follow the run until it has finished')
    .action(async (id: string, flags: RunFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const job = await gleaner.schedules.run(id, { ...call, idempotencyKey: flags.idempotencyKey });
      if (flags.watch) return await followJob(job.id, { cli, gleaner, output, flags });
      await output.one(job, fieldsOfJob(job));
    });
}

/** `gleaner schedule runs <id>`. */
export function defineRuns(command: Command, cli: Cli): void {
  addListOptions(command.argument('<id>', 'id of the schedule')).action(
    async (id: string, flags: ListFlags & GlobalOptions) => {
      const { output, gleaner, call } = await cli.open(flags);
      const listing = gleaner.schedules.runs(id, {}, call);
      await output.list(take(listing, flags), RUN_COLUMNS, 'The schedule has not run yet.');
    },
  );
}

type RuleReport = ResultOf<'listScheduleRules'>['rules'][number];

const RULE_COLUMNS: readonly Column<RuleReport>[] = [
  { name: 'rule', value: ({ name }) => name },
  { name: 'told', isWhole: true, value: ({ told }) => told },
  { name: 'waiting', isWhole: true, isMinor: true, value: ({ waiting }) => waiting },
  { name: 'last', isWhole: true, value: ({ lastToldAt }) => lastToldAt ?? 'never' },
  { name: 'job', isWhole: true, isMinor: true, value: ({ lastJobId }) => lastJobId },
  { name: 'what', value: ({ lastTitle }) => lastTitle },
];

/** `gleaner schedule rules <id>`. */
export const defineRules = forOne('<id>', 'id of the schedule', async (id, { output, gleaner, call }) => {
  const { rules } = await gleaner.schedules.rules(id, call);
  await output.list(rules, RULE_COLUMNS, 'The schedule has no rules.');
});

/** Number of runs to search for a finished one. */
const MAX_RUNS = 20;

/** `gleaner schedule changes <id>`. */
export function defineChanges(command: Command, cli: Cli): void {
  addChangeOption(command.argument('<id>', 'id of the schedule')).action(
    async (id: string, flags: ChangeFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { terminal } = cli;
      const run = await findRun(gleaner, id, call);
      if (!flags.quiet) terminal.warn(`${run.id}, finished ${run.completedAt}\n`);
      await printChanges(run.id, { gleaner, output, call }, flags);
      const unlinked = run.crawl?.changes?.unlinked ?? 0;
      if (unlinked > 0 && !flags.quiet) {
        terminal.warn(`${unlinked} unlinked pages: gleaner job results ${run.id} --change unlinked\n`);
      }
      const asked = { path: { id: run.id }, query: { limit: 1 } };
      const { notCompared } = await gleaner.call('getJobChanges', asked, call);
      if (notCompared > 0 && !flags.quiet) terminal.warn(describeOthers(run.id, notCompared));
    },
  );
}

/** Returns the last finished run. Throws if it is a crawl without a comparison. */
async function findRun({ schedules }: Gleaner, id: string, call: Opened['call']): Promise<Run> {
  const { items } = await schedules.runs(id, { limit: MAX_RUNS }, call).page();
  const run = items.find(hasFinished);
  if (!run)
    throw new CommandError('No run has finished yet.', {
      suggestion: `Start one: gleaner schedule run ${id}`,
    });
  if (!run.crawl || run.crawl.since) return run;
  throw new CommandError(`The last run, ${run.id}, was not compared with the run before.`, {
    suggestion: `Compare the next ones with: gleaner schedule edit ${id} --changes`,
  });
}

const SCHEDULE_COLUMNS: readonly Column<Schedule>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'status', isWhole: true, value: ({ status }) => status },
  { name: 'health', isWhole: true, value: ({ health }) => health },
  { name: 'cron', value: ({ cron }) => cron },
  { name: 'timezone', isMinor: true, value: ({ timezone }) => timezone },
  { name: 'next', isWhole: true, isMinor: true, value: ({ nextRunAt }) => nextRunAt },
  { name: 'last', isWhole: true, isMinor: true, value: ({ lastStatus }) => lastStatus },
  { name: 'name', value: ({ name }) => name },
  { name: 'url', value: ({ url, urls = [] }) => url ?? shorten(urls) },
];

const RUN_COLUMNS: readonly Column<Run>[] = [
  ...JOB_COLUMNS.filter(({ name }) => name !== 'name'),
  {
    name: 'changed',
    isWhole: true,
    value: ({ changed }) => (changed === null ? '' : changed ? 'yes' : 'no'),
  },
];

/** Returns the fields of a schedule for people. */
export function fieldsOfSchedule(schedule: Schedule): [string, unknown][] {
  const { id, name, url, urls, status, health, cron, timezone, overlap, webhook } = schedule;
  return [
    ...Object.entries({ id, name, url, urls, status, health, cron, timezone, overlap, webhook }),
    ['crawl', schedule.crawl && JSON.stringify(schedule.crawl)],
    ['selectors', schedule.selectors],
    ['dataset', schedule.dataset && JSON.stringify(schedule.dataset)],
    ['sink', schedule.sink && JSON.stringify(schedule.sink)],
    ...(schedule.notify ?? []).map(({ name, when, to }): [string, unknown] => [
      `tells ${to.join(', ')}`,
      name === describeCondition(when) ? name : `${name}: when ${describeCondition(when)}`,
    ]),
    ['next run', schedule.nextRunAt],
    ['last run', schedule.lastRunAt],
    ['last status', schedule.lastStatus],
    ['last job', schedule.lastJobId],
    ['last error', schedule.lastError?.message],
    ['last changes', schedule.lastChanges && JSON.stringify(schedule.lastChanges)],
    ['runs', schedule.runCount],
    ['skipped', schedule.skippedCount || undefined],
    ['created', schedule.createdAt],
  ];
}

/** Returns the first of several URLs and the number of the others. */
function shorten([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} +${others.length}`;
}
