import type { JobUrl, PageKind, QueryOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { JOB_STATES, URL_STATES } from '../../generated/words.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import type { Column } from '../../output/render-table.ts';
import { forOne } from '../for-one.ts';
import { fieldsOfJob, JOB_COLUMNS } from './columns.ts';
import { followJob } from './follow-job.ts';
import { addVerdictOption } from './results.ts';

interface JobListFlags extends ListFlags, GlobalOptions {
  readonly status?: QueryOf<'listJobs'>['status'];
  readonly schedule?: string;
  readonly search?: string;
}

/** `gleaner job list`. */
export function defineList(command: Command, cli: Cli): void {
  addListOptions(command)
    .addOption(new Option('--status <status>', 'only jobs in this state').choices(JOB_STATES))
    .option('--schedule <id>', 'only runs of this schedule')
    .option('--search <words>', 'only jobs whose name or host has words that begin with these')
    .action(async (flags: JobListFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { status, schedule: scheduleId, search } = flags;
      const listing = gleaner.jobs.list({ status, scheduleId, search }, call);
      await output.list(take(listing, flags), JOB_COLUMNS, noneWith(flags));
    });
}

/** `gleaner job sinks`. */
export function defineSinks(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    const none = 'There are no sinks: the operator has configured none for this account.';
    await output.list(await gleaner.jobs.sinks(call), [{ name: 'name', value: ({ name }) => name }], none);
  });
}

/** Says that no job fits the filters. */
function noneWith({ status, search }: JobListFlags): string {
  if (search !== undefined)
    return `No ${status ?? ''} job has a name or host like "${search}".`.replace('  ', ' ');
  return status ? `No job is ${status}.` : 'There are no jobs. Create one with: gleaner job create <url>';
}

/** `gleaner job show <id>`. */
export const defineShow = forOne('<id>', 'id of the job', async (id, { output, gleaner, call }) => {
  const { results, resultsPagination, ...job } = await gleaner.jobs.get(id, { resultsLimit: 0 }, call);
  const options = Object.entries(job.options).map(
    ([name, value]) => [`  ${name}`, value] as [string, unknown],
  );
  await output.one(job, [...fieldsOfJob(job), ...options]);
});

/** `gleaner job watch <id>`. */
export function defineWatch(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the job').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    await followJob(id, { cli, gleaner: await cli.connect(flags), output, flags });
  });
}

/** `gleaner job cancel <id>`. */
export const defineCancel = forOne('<id>', 'id of the job', async (id, { output, gleaner, call }) => {
  const job = await gleaner.jobs.cancel(id, call);
  await output.one(job, fieldsOfJob(job));
});

interface UrlsFlags extends GlobalOptions {
  readonly state?: QueryOf<'getJobUrls'>['state'];
  readonly verdict?: PageKind[];
}

const COLUMNS: readonly Column<JobUrl>[] = [
  { name: 'index', isWhole: true, value: ({ index }) => index },
  { name: 'state', isWhole: true, value: ({ state }) => state },
  { name: 'attempts', isWhole: true, isMinor: true, value: ({ attempts }) => attempts },
  { name: 'url', value: ({ url }) => url },
  { name: 'error', isWhole: true, value: ({ error }) => error?.code },
  { name: 'verdict', isWhole: true, isMinor: true, value: ({ verdict }) => verdict },
];

/** `gleaner job urls <id>`. */
export function defineUrls(command: Command, cli: Cli): void {
  addVerdictOption(command.argument('<id>', 'id of the job'))
    .addOption(new Option('--state <state>', 'only URLs in this state').choices(URL_STATES))
    .action(async (id: string, flags: UrlsFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { state, verdict } = flags;
      const kinds = [state, verdict?.join(' or ')].filter(Boolean);
      await output.list(
        gleaner.jobs.urls(id, { state, verdict }, call),
        COLUMNS,
        kinds.length > 0 ? `No URL is ${kinds.join(' and ')}.` : 'The job has no URLs.',
      );
    });
}
