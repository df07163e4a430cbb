import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import { DELIVERY_COLUMNS } from './columns.ts';

interface Flags extends ListFlags, GlobalOptions {
  readonly job?: string;
}

/** `gleaner webhook deliveries`. */
export function defineDeliveries(command: Command, cli: Cli): void {
  addListOptions(command)
    .option('--job <id>', 'only deliveries about this job')
    .action(async (flags: Flags) => {
      const output = cli.output(flags);
      const { webhooks } = await cli.connect(flags);
      const listing = webhooks.deliveries({ jobId: flags.job }, { signal: cli.signal });
      await output.list(take(listing, flags), DELIVERY_COLUMNS, 'Nothing was sent yet.');
    });
}
