import type { QueryOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { DELIVERY_STATES } from '../../input/choices.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import { DELIVERY_COLUMNS } from './columns.ts';

interface Flags extends ListFlags, GlobalOptions {
  readonly job?: string;
  readonly status?: QueryOf<'listWebhookDeliveries'>['status'];
}

/** `gleaner webhook deliveries`. */
export function defineDeliveries(command: Command, cli: Cli): void {
  addListOptions(command)
    .option('--job <id>', 'only deliveries about this job')
    .addOption(new Option('--status <status>', 'only deliveries in this state').choices(DELIVERY_STATES))
    .action(async (flags: Flags) => {
      const output = cli.output(flags);
      const { webhooks } = await cli.connect(flags);
      const { job: jobId, status } = flags;
      const listing = webhooks.deliveries({ jobId, status }, { signal: cli.signal });
      const none = status ? `No delivery is ${status}.` : 'Nothing was sent yet.';
      await output.list(take(listing, flags), DELIVERY_COLUMNS, none);
    });
}
