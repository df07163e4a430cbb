import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfJob } from '../job/columns.ts';
import { followJob } from '../job/follow-job.ts';

interface Flags extends GlobalOptions {
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

/** `gleaner schedule run <id>`. */
export function defineRun(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the schedule')
    .option('--idempotency-key <key>', 'starts the run once, however often the command runs with this key')
    .option('-w, --watch', 'follow the run until it has finished')
    .action(async (id: string, flags: Flags) => {
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const job = await gleaner.schedules.run(id, {
        signal: cli.signal,
        idempotencyKey: flags.idempotencyKey,
      });
      if (flags.watch) return await followJob(job.id, { cli, gleaner, output, flags });
      await output.one(job, fieldsOfJob(job));
    });
}
