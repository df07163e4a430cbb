import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfJob } from './columns.ts';
import { followJob } from './follow-job.ts';

interface Flags extends GlobalOptions {
  readonly failed?: boolean;
  readonly watch?: boolean;
}

/** `gleaner job rerun <id>`. */
export function defineRerun(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the finished job')
    .option('--failed', 'only the URLs that failed')
    .option('-w, --watch', 'follow the new job until it has finished')
    .action(async (id: string, flags: Flags) => {
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const job = await gleaner.jobs.rerun(id, flags.failed ? { only: 'failed' } : {}, {
        signal: cli.signal,
      });
      if (flags.watch) {
        if (!flags.quiet) cli.terminal.warn(`${job.id}\n`);
        return await followJob(job.id, { cli, gleaner, output, flags });
      }
      await output.one(job, fieldsOfJob(job));
    });
}
