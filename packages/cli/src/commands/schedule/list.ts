import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { SCHEDULE_STATES } from '../../input/choices.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import { SCHEDULE_COLUMNS } from './columns.ts';

interface Flags extends ListFlags, GlobalOptions {
  readonly status?: 'active' | 'paused';
}

/** `gleaner schedule list`. */
export function defineList(command: Command, cli: Cli): void {
  addListOptions(command)
    .addOption(new Option('--status <status>', 'only schedules in this state').choices(SCHEDULE_STATES))
    .action(async (flags: Flags) => {
      const output = cli.output(flags);
      const { schedules } = await cli.connect(flags);
      const listing = schedules.list({ status: flags.status }, { signal: cli.signal });
      const empty = flags.status
        ? `No schedule is ${flags.status}.`
        : "There are no schedules. Create one with: gleaner schedule create <url> --cron '0 9 * * *'";
      await output.list(take(listing, flags), SCHEDULE_COLUMNS, empty);
    });
}
