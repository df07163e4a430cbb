import { randomInt } from 'node:crypto';
import { type Channel, type CreateScheduleRequest, describeCondition, withScheme } from '@gleaner/client';
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
import {
  addConditionOptions,
  type Rule,
  type RuleFlags,
  readRules,
  typesBy,
} from '../../input/rule-options.ts';
import { addDryRun, type DryRunFlags, isDryRun, printEstimate } from '../../output/print-estimate.ts';
import { fieldsOfSchedule } from './schedules.ts';

interface WatchFlags extends PageFlags, Omit<RuleFlags, 'notify'>, DryRunFlags, GlobalOptions {
  readonly cron?: string;
  readonly timezone?: string;
  readonly name?: string;
}

/** `gleaner watch <url> --when … --to …`: a schedule with its rules and the channel for an address, in one command. */
export function defineWatch(command: Command, cli: Cli): void {
  command.argument('<url>', 'the page');
  addDryRun(addConditionOptions(addPageOptions(command)))
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
      const { when = missingCondition(), to: channels = missingChannel(), digest, confirm } = flags;
      const whom = [...new Set(channels)];
      const rules = (await readRules({ when, to: whom, digest, confirm } as RuleFlags, cli)) ?? [];
      const body = {
        url,
        name: flags.name ?? given.slice(0, MAX_NAME),
        ...(await readPageOptions(flags, cli, typesBy(rules))),
        cron: flags.cron ?? `${randomInt(60)} * * * *`,
        ...withoutUndefined({ timezone: flags.timezone }),
      } as CreateScheduleRequest;
      if (isDryRun(flags)) return await tryOut(body, { rules, whom, flags }, cli);
      const opened = await cli.open(flags);
      const { output, gleaner, call } = opened;
      const found = await findChannels(whom, opened);
      // A schedule that would be refused leaves no channel behind.
      if (found.some(isNew)) await gleaner.estimate(withRules(body, rules, found), call);
      const to = await createMissing(found, opened);
      const notify = rules.map((rule) => ({ ...rule, to }));
      const schedule = await gleaner.schedules.create({ ...body, notify } as CreateScheduleRequest, call);
      await output.one(schedule, fieldsOfSchedule(schedule));
      // What the page says now is what later runs are compared with.
      const job = await gleaner.schedules.run(schedule.id, call);
      if (flags.quiet) return;
      cli.terminal.warn(
        `Tells ${whom.join(' and ')} ${describeRules(rules)}.\n` +
          `The first look is ${job.id}; see what it found with: gleaner job results ${job.id}\n` +
          `Stop with: gleaner schedule delete ${schedule.id}\n`,
      );
    });
}

const MAX_NAME = 100;

/** Says when the rules tell; all of them have the same digest and number of confirmations. */
function describeRules(rules: readonly Rule[]): string {
  const [{ digest = 0, confirm = 0 } = {}] = rules;
  const conditions = rules.map(({ when }) => describeCondition(when)).join(', or ');
  const found =
    confirm > 0
      ? ` and ${confirm === 1 ? 'another run finds' : `${confirm} further runs find`} the same`
      : '';
  const when = `once each time ${conditions}${found}`;
  return digest > 0 ? `${when}, in one message for ${digest / MINUTE_MS} minutes` : when;
}

const MINUTE_MS = 60_000;

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

/** Whom to tell: the id of a channel, or an email address that has none. */
type Whom = { readonly id: string } | { readonly address: string };

function isNew(whom: Whom): whom is Extract<Whom, { address: string }> {
  return 'address' in whom;
}

/** Prints the estimate of a schedule with its rules, and which channels would be created. */
async function tryOut(
  body: CreateScheduleRequest,
  given: { readonly rules: readonly Rule[]; readonly whom: readonly string[]; readonly flags: WatchFlags },
  cli: Cli,
): Promise<void> {
  const { rules, whom, flags } = given;
  const gleaner = await cli.connect(flags);
  const found = await findChannels(whom, { gleaner, call: { signal: cli.signal } });
  const addresses = found.filter(isNew).map(({ address }) => address);
  const solved = addresses.length > 0 ? 'CHANNEL_NOT_FOUND' : undefined;
  await printEstimate(withRules(body, rules, found), flags, cli, solved);
  for (const address of flags.quiet ? [] : addresses) {
    cli.terminal.warn(`A channel for ${address} would be created.\n`);
  }
}

/** Returns the schedule with its rules, to be estimated; channels still to be created have ids of nothing. */
function withRules(
  body: CreateScheduleRequest,
  rules: readonly Rule[],
  found: readonly Whom[],
): CreateScheduleRequest {
  const to = found.map((each, index) => ('id' in each ? each.id : `chn_new${index}`));
  return { ...body, notify: rules.map((rule) => ({ ...rule, to })) } as CreateScheduleRequest;
}

/** Finds the channels. Throws for a name that none has, or several. */
async function findChannels(
  wanted: readonly string[],
  { gleaner, call }: Pick<Opened, 'gleaner' | 'call'>,
): Promise<Whom[]> {
  const channels = wanted.every(isId) ? [] : await gleaner.channels.list(call);
  return wanted.map((whom) => {
    const id = isId(whom) ? whom : findChannel(whom, channels);
    return id === undefined ? { address: EMAIL.exec(whom)?.[1] ?? '' } : { id };
  });
}

/** Returns the ids of the channels; creates those of the email addresses. */
async function createMissing(
  found: readonly Whom[],
  { gleaner, call }: Pick<Opened, 'gleaner' | 'call'>,
): Promise<string[]> {
  return await Promise.all(
    found.map(async (whom) => {
      if (!isNew(whom)) return whom.id;
      const { address } = whom;
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
