import type { QueryOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { JOB_STATES } from '../../input/choices.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import { JOB_COLUMNS } from './columns.ts';

interface Flags extends ListFlags, GlobalOptions {
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
    .action(async (flags: Flags) => {
      const output = cli.output(flags);
      const { jobs } = await cli.connect(flags);
      const { status, schedule: scheduleId, search } = flags;
      const listing = jobs.list({ status, scheduleId, search }, { signal: cli.signal });
      await output.list(take(listing, flags), JOB_COLUMNS, noneWith(flags));
    });
}

/** Says that no job fits the filters. */
function noneWith({ status, search }: Flags): string {
  if (search !== undefined)
    return `No ${status ?? ''} job has a name or host like "${search}".`.replace('  ', ' ');
  return status ? `No job is ${status}.` : 'There are no jobs. Create one with: gleaner job create <url>';
}
