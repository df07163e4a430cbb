import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import { RUN_COLUMNS } from './columns.ts';

/** `gleaner schedule runs <id>`. */
export function defineRuns(command: Command, cli: Cli): void {
  addListOptions(command.argument('<id>', 'id of the schedule')).action(
    async (id: string, flags: ListFlags & GlobalOptions) => {
      const output = cli.output(flags);
      const { schedules } = await cli.connect(flags);
      const listing = schedules.runs(id, {}, { signal: cli.signal });
      await output.list(take(listing, flags), RUN_COLUMNS, 'The schedule has not run yet.');
    },
  );
}
