import type { JobUrl, QueryOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { URL_STATES } from '../../input/choices.ts';
import type { Column } from '../../output/render-table.ts';

interface Flags extends GlobalOptions {
  readonly state?: QueryOf<'getJobUrls'>['state'];
}

const COLUMNS: readonly Column<JobUrl>[] = [
  { name: 'index', isWhole: true, value: ({ index }) => index },
  { name: 'state', isWhole: true, value: ({ state }) => state },
  { name: 'attempts', isWhole: true, isMinor: true, value: ({ attempts }) => attempts },
  { name: 'url', value: ({ url }) => url },
  { name: 'error', isWhole: true, value: ({ error }) => error?.code },
];

/** `gleaner job urls <id>`. */
export function defineUrls(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the job')
    .addOption(new Option('--state <state>', 'only URLs in this state').choices(URL_STATES))
    .action(async (id: string, flags: Flags) => {
      const output = cli.output(flags);
      const { jobs } = await cli.connect(flags);
      await output.list(
        jobs.urls(id, { state: flags.state }, { signal: cli.signal }),
        COLUMNS,
        flags.state ? `No URL is ${flags.state}.` : 'The job has no URLs.',
      );
    });
}
