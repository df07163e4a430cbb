import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfSchedule } from './columns.ts';

/** `gleaner schedule show <id>`. */
export function defineShow(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the schedule').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const { schedules } = await cli.connect(flags);
    const schedule = await schedules.get(id, { signal: cli.signal });
    await output.one(schedule, fieldsOfSchedule(schedule));
  });
}
