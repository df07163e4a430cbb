import { randomInt } from 'node:crypto';
import { type Channel, type CreateScheduleRequest, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions, Opened } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { collect } from '../../input/option-values.ts';
import {
  addPageOptions,
  type PageFlags,
  readPageOptions,
  withoutUndefined,
} from '../../input/page-options.ts';
import { addConditionOption, describeCondition, readRules, typesBy } from '../../input/rule-options.ts';
import { addDryRun, type DryRunFlags, isDryRun, printEstimate } from '../../output/print-estimate.ts';
import { fieldsOfSchedule } from './schedules.ts';

interface WatchFlags extends PageFlags, DryRunFlags, GlobalOptions {
  readonly when?: string[];
  readonly to?: string[];
  readonly cron?: string;
  readonly timezone?: string;
  readonly name?: string;
}

/** `gleaner watch <url> --when … --to …`: a schedule with its rules and the channel for an address, in one command. */
export function defineWatch(command: Command, cli: Cli): void {
  command.argument('<url>', 'the page');
  addDryRun(addConditionOption(addPageOptions(command)))
    .option(
      '--to <whom>',
      'whom to tell: the name or the id of a channel, or mail:you@example.com; repeatable',
      collect,
    )
    .option('--cron <cron>', 'when to look; default: every hour, at a minute chosen by chance')
    .option('--timezone <zone>', 'time zone of --cron, such as Europe/Berlin; default UTC')
    .option('--name <name>', 'name of the schedule; default: the page')
    .action(async (given: string, flags: WatchFlags) => {
      const url = withScheme(given);
      const { when = missingCondition(), to: channels = missingChannel() } = flags;
      const whom = [...new Set(channels)];
      const rules = (await readRules({ when, to: whom }, cli)) ?? [];
      const body = {
        url,
        name: flags.name ?? given.slice(0, MAX_NAME),
        ...(await readPageOptions(flags, cli, typesBy(rules))),
        cron: flags.cron ?? `${randomInt(60)} * * * *`,
        ...withoutUndefined({ timezone: flags.timezone }),
      } as CreateScheduleRequest;
      if (isDryRun(flags)) return await printEstimate(body, flags, cli);
      const opened = await cli.open(flags);
      const { output, gleaner, call } = opened;
      const to = await findChannels(whom, opened);
      const notify = rules.map((rule) => ({ ...rule, to }));
      const schedule = await gleaner.schedules.create({ ...body, notify } as CreateScheduleRequest, call);
      await output.one(schedule, fieldsOfSchedule(schedule));
      // What the page says now is what later runs are compared with.
      const job = await gleaner.schedules.run(schedule.id, call);
      if (flags.quiet) return;
      const conditions = rules.map(({ when }) => describeCondition(when)).join(', or ');
      cli.terminal.warn(
        `Tells ${whom.join(' and ')} once each time ${conditions}.\n` +
          `The first look is ${job.id}; see what it found with: gleaner job results ${job.id}\n` +
          `Stop with: gleaner schedule delete ${schedule.id}\n`,
      );
    });
}

const MAX_NAME = 100;

function missingCondition(): never {
  throw new UsageError('--when is missing.', "Say when to tell: --when 'price.amount < 20'");
}

function missingChannel(): never {
  throw new UsageError(
    '--to is missing.',
    'Say whom to tell: --to mail:you@example.com, or the name of a channel',
  );
}

const EMAIL = /^(?:mail|email):(.+)$/;

/** Returns the ids of the channels; creates that of an email address without one. */
async function findChannels(
  wanted: readonly string[],
  { gleaner, call }: Pick<Opened, 'gleaner' | 'call'>,
): Promise<string[]> {
  const channels = wanted.every(isId) ? [] : await gleaner.channels.list(call);
  // Names first: a mistake in one of them leaves no channel behind.
  const found = wanted.map((whom) => (isId(whom) ? whom : findChannel(whom, channels)));
  return await Promise.all(
    found.map(async (id, index) => {
      if (id !== undefined) return id;
      const [, address = ''] = EMAIL.exec(wanted[index] ?? '') ?? [];
      const channel = { type: 'email' as const, name: address, to: [address] };
      return (await gleaner.channels.create(channel, call)).id;
    }),
  );
}

function isId(whom: string): boolean {
  return whom.startsWith('chn_');
}

/** Returns the id of a channel by its name or its email address; undefined for an address without a channel. */
function findChannel(whom: string, channels: readonly Channel[]): string | undefined {
  const [, email] = EMAIL.exec(whom) ?? [];
  if (email !== undefined) {
    return channels.find(({ type, address }) => type === 'email' && address === email)?.id;
  }
  const named = channels.filter(({ name }) => name === whom);
  const [only] = named;
  if (only && named.length === 1) return only.id;
  throw new UsageError(
    only ? `Several channels have the name "${whom}".` : `No channel has the name "${whom}".`,
    only
      ? `Use one of their ids: ${named.map(({ id }) => id).join(', ')}`
      : 'gleaner channel list shows them; mail:you@example.com needs none.',
  );
}
