import type { Delivery, QueryOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import { DELIVERY_STATES } from '../../generated/words.ts';
import { addListOptions, type ListFlags, take } from '../../input/list-options.ts';
import type { Column } from '../../output/render-table.ts';
import { forOne } from '../for-one.ts';

interface DeliveryFlags extends ListFlags, GlobalOptions {
  readonly job?: string;
  readonly channel?: string;
  readonly status?: QueryOf<'listWebhookDeliveries'>['status'];
}

/** `gleaner webhook deliveries`. */
export function defineDeliveries(command: Command, cli: Cli): void {
  addListOptions(command)
    .option('--job <id>', 'only deliveries about this job')
    .option('--channel <id>', 'only messages for this channel')
    .addOption(new Option('--status <status>', 'only deliveries in this state').choices(DELIVERY_STATES))
    .action(async (flags: DeliveryFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { job: jobId, channel: channelId, status } = flags;
      const listing = gleaner.webhooks.deliveries({ jobId, channelId, status }, call);
      const none = status ? `No delivery is ${status}.` : 'Nothing was sent yet.';
      await output.list(take(listing, flags), DELIVERY_COLUMNS, none);
    });
}

const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'type', value: ({ type }) => type },
  { name: 'status', isWhole: true, value: ({ status }) => status },
  { name: 'attempts', isWhole: true, isMinor: true, value: ({ attemptCount }) => attemptCount },
  { name: 'answer', value: lastAnswer },
  { name: 'next', isWhole: true, isMinor: true, value: ({ nextAttemptAt }) => nextAttemptAt },
  { name: 'url', value: ({ url }) => url },
];

function fieldsOfDelivery(delivery: Delivery): [string, unknown][] {
  return [
    ...Object.entries({ id: delivery.id, type: delivery.type, status: delivery.status, url: delivery.url }),
    ['answer', lastAnswer(delivery)],
    ['reason', delivery.reason],
    ['job', delivery.jobId],
    ['next attempt', delivery.nextAttemptAt],
  ];
}

function lastAnswer({ attempts }: Delivery): string | undefined {
  const last = attempts.at(-1);
  if (!last) return undefined;
  return [last.statusCode, last.error].filter((part) => part !== undefined).join(' ');
}

/** `gleaner webhook redeliver <id>`. */
export const defineRedeliver = forOne('<id>', 'id of the delivery', async (id, { output, gleaner, call }) => {
  const delivery = await gleaner.webhooks.redeliver(id, call);
  await output.one(delivery, fieldsOfDelivery(delivery));
});

/** `gleaner webhook test <url>`. */
export const defineTest = forOne(
  '<url>',
  'the endpoint',
  async (endpoint, { output, gleaner, call }, cli) => {
    const delivery = await gleaner.webhooks.test(endpoint, call);
    if (delivery.status !== 'delivered') cli.exit = EXIT_CODES.target.code;
    await output.one(delivery, fieldsOfDelivery(delivery));
  },
);

interface SecretFlags extends GlobalOptions {
  readonly rotate?: boolean;
}

/** `gleaner webhook secret`. */
export function defineSecret(command: Command, cli: Cli): void {
  command
    .option('--rotate', 'replace the secret; for 24 hours, deliveries are signed with both')
    .action(async (flags: SecretFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const secret = await (flags.rotate
        ? gleaner.webhooks.rotateSecret(call)
        : gleaner.webhooks.secret(call));
      if (output.format === 'table' || output.format === 'ndjson')
        await output.sink.write(`${secret.secret}\n`);
      else await output.one(secret, []);
      if (secret.previousValidUntil && !flags.quiet) {
        cli.terminal.warn(
          `Until ${secret.previousValidUntil}, deliveries are also signed with the previous secret.\n`,
        );
      }
    });
}
