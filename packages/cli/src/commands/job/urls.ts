import type { JobUrl, QueryOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import type { Column } from '../../output/render-table.ts';

interface Flags extends GlobalOptions {
  readonly state?: QueryOf<'getJobUrls'>['state'];
}

const STATES = ['waiting', 'running', 'completed', 'failed', 'skipped', 'cancelled'] as const;
const COLUMNS: readonly Column<JobUrl>[] = [
  { name: 'index', value: ({ index }) => index },
  { name: 'state', value: ({ state }) => state },
  { name: 'attempts', value: ({ attempts }) => attempts },
  { name: 'url', value: ({ url }) => url },
  { name: 'error', value: ({ error }) => error?.code },
];

/** `gleaner job urls <id>`. */
export function defineUrls(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the job')
    .addOption(new Option('--state <state>', 'only URLs in this state').choices(STATES))
    .action(async (id: string, flags: Flags) => {
      const output = cli.output(flags);
      const { jobs } = await cli.connect(flags);
      await output.list(
        jobs.urls(id, { state: flags.state }, { signal: cli.signal }),
        COLUMNS,
        'No URL is in this state.',
      );
    });
}
