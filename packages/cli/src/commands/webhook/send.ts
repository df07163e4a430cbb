import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import { fieldsOfDelivery } from './columns.ts';

/** `gleaner webhook redeliver <id>`. */
export function defineRedeliver(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the delivery').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const { webhooks } = await cli.connect(flags);
    const delivery = await webhooks.redeliver(id, { signal: cli.signal });
    await output.one(delivery, fieldsOfDelivery(delivery));
  });
}

/** `gleaner webhook test <url>`. */
export function defineTest(command: Command, cli: Cli): void {
  command.argument('<url>', 'the endpoint').action(async (endpoint: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const { webhooks } = await cli.connect(flags);
    const delivery = await webhooks.test(endpoint, { signal: cli.signal });
    if (delivery.status !== 'delivered') cli.exit = EXIT_CODES.target.code;
    await output.one(delivery, fieldsOfDelivery(delivery));
  });
}
