import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfJob } from '../job/columns.ts';
import { followJob } from '../job/follow-job.ts';

interface Flags extends GlobalOptions {
  readonly watch?: boolean;
}

/** `gleaner schedule run <id>`. */
export function defineRun(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the schedule')
    .option('-w, --watch', 'follow the run until it has finished')
    .action(async (id: string, flags: Flags) => {
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const job = await gleaner.schedules.run(id, { signal: cli.signal });
      if (flags.watch) return await followJob(job.id, { cli, gleaner, output, flags });
      await output.one(job, fieldsOfJob(job));
    });
}
