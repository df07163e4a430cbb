import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfJob } from './columns.ts';

/** `gleaner job show <id>`. */
export function defineShow(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the job').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const gleaner = await cli.connect(flags);
    const { results, resultsPagination, ...job } = await gleaner.jobs.get(
      id,
      { resultsLimit: 0 },
      { signal: cli.signal },
    );
    const options = Object.entries(job.options).map(
      ([name, value]) => [`  ${name}`, value] as [string, unknown],
    );
    await output.one(job, [...fieldsOfJob(job), ...options]);
  });
}
