import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfJob } from './columns.ts';
import { followJob } from './follow-job.ts';

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

/** `gleaner job watch <id>`. */
export function defineWatch(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the job').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    await followJob(id, { cli, gleaner: await cli.connect(flags), output, flags });
  });
}

/** `gleaner job cancel <id>`. */
export function defineCancel(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the job').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const gleaner = await cli.connect(flags);
    const job = await gleaner.jobs.cancel(id, { signal: cli.signal });
    await output.one(job, fieldsOfJob(job));
  });
}
