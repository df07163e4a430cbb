import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { addDataOptions, type PageFlags, readPageOptions } from '../../input/page-options.ts';
import { fieldsOfJob } from './columns.ts';
import { followJob } from './follow-job.ts';

type DataFlags = Pick<PageFlags, 'select' | 'selectors' | 'formats' | 'locale'>;

interface Flags extends DataFlags, GlobalOptions {
  readonly watch?: boolean;
}

/** `gleaner job extract <id>`. */
export function defineExtract(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the finished job, which was created with --snapshot');
  addDataOptions(command)
    .option('-w, --watch', 'follow the new job until it has finished')
    .action(async (id: string, flags: Flags) => {
      const output = cli.output(flags);
      const body = await readPageOptions(flags, cli);
      const gleaner = await cli.connect(flags);
      const job = await gleaner.jobs.extract(id, body, { signal: cli.signal });
      if (flags.watch) {
        if (!flags.quiet) cli.terminal.warn(`${job.id}\n`);
        return await followJob(job.id, { cli, gleaner, output, flags });
      }
      await output.one(job, fieldsOfJob(job));
      await output.note(`\nIts results: gleaner job results ${job.id}`);
    });
}
