import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfJob } from './columns.ts';

/** `gleaner job cancel <id>`. */
export function defineCancel(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the job').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const gleaner = await cli.connect(flags);
    const job = await gleaner.jobs.cancel(id, { signal: cli.signal });
    await output.one(job, fieldsOfJob(job));
  });
}
