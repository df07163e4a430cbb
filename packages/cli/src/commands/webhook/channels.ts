import type { BodyOf, Channel, Delivery } from '@gleaner/client';
import { Argument, type Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { EXIT_CODES, UsageError } from '../../exit-codes.ts';
import { CHANNEL_TYPES } from '../../generated/words.ts';
import { collect } from '../../input/option-values.ts';
import { withoutUndefined } from '../../input/page-options.ts';
import { readText } from '../../input/read-text.ts';
import type { Column } from '../../output/render-table.ts';
import { forOne } from '../for-one.ts';

interface TargetFlags extends GlobalOptions {
  readonly name?: string;
  readonly endpoint?: string;
  readonly to?: string[];
  readonly token?: string;
  readonly chat?: string;
  readonly topic?: string;
  readonly server?: string;
  readonly configKey?: string;
  readonly tag?: string;
}

function addTargetOptions(command: Command): Command {
  return command
    .option('--name <name>', 'name of the channel')
    .option(
      '--endpoint <url>',
      'of webhook, slack, discord, teams: the endpoint; - reads it from the standard input',
    )
    .option('--to <address>', 'of email: a recipient; repeatable', collect)
    .option('--token <token>', 'of telegram and ntfy: the token; - reads it from the standard input')
    .option('--chat <id>', 'of telegram: the chat, such as @prices')
    .option('--topic <topic>', 'of ntfy: the topic')
    .option('--server <url>', 'of ntfy and telegram: a server of your own')
    .option('--config-key <key>', 'of apprise: the key of the configuration')
    .option('--tag <tags>', 'of apprise: the tags to notify');
}

/** Returns the fields of a channel. What may be secret can come by the standard input, which shells do not keep. */
async function fieldsOf(
  { name, endpoint: url, to, token, chat, topic, server, configKey: key, tag }: TargetFlags,
  cli: Cli,
): Promise<BodyOf<'updateChannel'>> {
  if (url === '-' && token === '-')
    throw new UsageError('Only one value can come from the standard input.', 'Give the other one as it is.');
  const fromInput = async (value: string | undefined) =>
    value === '-' ? (await readText('-', cli)).trim() : value;
  return withoutUndefined({
    name,
    url: await fromInput(url),
    to,
    token: await fromInput(token),
    chat,
    topic,
    server,
    key,
    tag,
  }) as BodyOf<'updateChannel'>;
}

/** `gleaner channel create <type>`. */
export function defineCreate(command: Command, cli: Cli): void {
  addTargetOptions(
    command.addArgument(new Argument('<type>', 'kind of channel').choices(CHANNEL_TYPES)),
  ).action(async (type: Channel['type'], flags: TargetFlags) => {
    const fields = await fieldsOf(flags, cli);
    const { output, gleaner, call } = await cli.open(flags);
    const channel = await gleaner.channels.create({ name: type, ...fields, type }, call);
    await output.one(channel, Object.entries(channel));
  });
}

/** `gleaner channel edit <id>`. */
export function defineEdit(command: Command, cli: Cli): void {
  addTargetOptions(command.argument('<id>', 'id of the channel, chn_…')).action(
    async (id: string, flags: TargetFlags) => {
      const fields = await fieldsOf(flags, cli);
      const { output, gleaner, call } = await cli.open(flags);
      const channel = await gleaner.channels.update(id, fields, call);
      await output.one(channel, Object.entries(channel));
    },
  );
}

const COLUMNS: readonly Column<Channel>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'type', isWhole: true, value: ({ type }) => type },
  { name: 'name', value: ({ name }) => name },
  { name: 'status', isWhole: true, value: ({ status }) => status },
  { name: 'address', value: ({ address }) => address },
];

/** `gleaner channel list`. */
export function defineList(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    await output.list(await gleaner.channels.list(call), COLUMNS, 'There are no channels.');
  });
}

/** `gleaner channel test <id>`. */
export const defineTest = forOne('<id>', 'id of the channel', async (id, { output, gleaner, call }, cli) => {
  const delivery = await gleaner.channels.test(id, call);
  if (delivery.status !== 'delivered') cli.exit = EXIT_CODES.target.code;
  await output.one(delivery, fieldsOfTest(delivery));
});

function fieldsOfTest({ id, status, url, attempts, reason }: Delivery): [string, unknown][] {
  const last = attempts.at(-1);
  return [
    ['id', id],
    ['status', status],
    ['address', url],
    ['answer', [last?.statusCode, last?.error].filter((part) => part !== undefined).join(' ')],
    ['reason', reason],
  ];
}

/** `gleaner channel delete <id>`. */
export const defineDelete = forOne('<id>', 'id of the channel', async (id, { output, gleaner, call }) => {
  await gleaner.channels.delete(id, call);
  await output.note(`${id} is deleted.`);
});
