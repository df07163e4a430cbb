import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';

/** `gleaner schedule delete <id>`. */
export function defineDelete(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the schedule').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const { schedules } = await cli.connect(flags);
    await schedules.delete(id, { signal: cli.signal });
    await output.note(`${id} is deleted; its jobs stay.`);
  });
}
