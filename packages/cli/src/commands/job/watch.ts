import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { followJob } from './follow-job.ts';

/** `gleaner job watch <id>`. */
export function defineWatch(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the job').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    await followJob(id, { cli, gleaner: await cli.connect(flags), output, flags });
  });
}
