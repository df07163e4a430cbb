import type { CreateScheduleRequest } from '@gleaner/client';
import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { collect, parseCount } from './option-values.ts';
import { withoutUndefined } from './page-options.ts';
import { readJson } from './read-text.ts';

/** A rule of a schedule, and its condition. */
export type Rule = NonNullable<CreateScheduleRequest['notify']>[number];
type Condition = Rule['when'];

/** Options of the rules of a schedule. */
export interface RuleFlags {
  readonly when?: string[];
  readonly to?: string[];
  readonly notify?: string;
  readonly digest?: number;
  readonly confirm?: number;
}

/** Adds the options of conditions, and of when they are told. */
export function addConditionOptions(command: Command): Command {
  return command
    .option(
      '--when <condition>',
      "tell when it begins to hold, such as 'price.amount < 20', 'price.amount by -10%', 'title changed' or 'books added'; repeatable",
      collect,
    )
    .option(
      '--digest <time>',
      'collect for this time, and tell of all in one message: hourly, daily, weekly, or such as 90m, 12h or 2d',
      parseSpan,
    )
    .option(
      '--confirm <runs>',
      'tell only what so many further runs find as well; they cost what runs cost',
      parseCount,
    );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SPANS: Readonly<Record<string, number>> = { hourly: HOUR_MS, daily: DAY_MS, weekly: 7 * DAY_MS };
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Reads a span of time in milliseconds. */
function parseSpan(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const span = Object.hasOwn(SPANS, text) ? SPANS[text] : Number(count) * (UNITS[unit] ?? Number.NaN);
  if (span !== undefined && span > 0) return span;
  throw new InvalidArgumentError(
    'Write hourly, daily or weekly, or minutes, hours or days, such as 90m, 12h or 2d.',
  );
}

/** Adds the options of rules. */
export function addRuleOptions(command: Command): Command {
  return addConditionOptions(command)
    .option('--to <channel>', 'channel to tell, chn_…; repeatable', collect)
    .option('--notify <file>', 'rules as JSON; - is the standard input');
}

const EXAMPLE =
  'For instance [{"name": "Cheap", "when": {"field": "price.amount", "below": 20}, "to": ["chn_…"]}].';

/** Returns the rules that the options give; undefined if they give none. */
export async function readRules(
  { when, to, notify, digest, confirm }: RuleFlags,
  cli: Pick<Cli, 'terminal'>,
): Promise<readonly Rule[] | undefined> {
  const [first] = Object.keys(withoutUndefined({ digest, confirm }));
  if (notify !== undefined && first !== undefined)
    throw new UsageError(
      `--${first} and --notify exclude each other.`,
      `Write "${first}" into the rules of the file.`,
    );
  if (notify !== undefined) return (await readJson(notify, EXAMPLE, cli)) as Rule[];
  if (!when && !to && first === undefined) return undefined;
  if (!when)
    throw new UsageError(`--${to ? 'to' : first} is of a rule, and --when is missing.`, `Add one: ${SOME}`);
  if (!to)
    throw new UsageError('--when needs a channel.', 'Name one with --to; gleaner channel list shows them.');
  return when.map((text) => ({
    name: text.slice(0, MAX_NAME),
    when: parseCondition(text),
    ...withoutUndefined({ digest, confirm }),
    to,
  }));
}

const MAX_NAME = 200;
const SOME = "--when 'price.amount < 20'";

/** A form of a condition: its words, and what it means. */
type Form = readonly [words: RegExp, condition: (field: string, value: string) => Condition];

const FORMS: readonly Form[] = [
  [/^(\S+) (?:<|below) (-?\d+(?:\.\d+)?)$/, (field, value) => ({ field, below: Number(value) })],
  [/^(\S+) (?:>|above) (-?\d+(?:\.\d+)?)$/, (field, value) => ({ field, above: Number(value) })],
  [/^(\S+) by ([+-]?\d+(?:\.\d+)?%)$/, (field, by) => ({ field, by })],
  [/^(\S+) (?:=|is|becomes) (.+)$/, (field, value) => ({ field, becomes: readValue(value) })],
  [/^(\S+) changed()$/, (field) => ({ changed: [field] })],
  [/^(\S+) added()$/, (added) => ({ added })],
  [/^(\S+) removed()$/, (removed) => ({ removed })],
];

/** Reads a condition as people write it; several are joined by "and". */
export function parseCondition(text: string): Condition {
  const parts = text.split(/ and /).map((part) => parsePart(part.trim(), text));
  const [first] = parts;
  return parts.length === 1 && first ? first : ({ all: parts } as Condition);
}

function parsePart(part: string, whole: string): Condition {
  for (const [words, condition] of FORMS) {
    const [, field, value = ''] = words.exec(part) ?? [];
    if (field !== undefined) return condition(field, value);
  }
  throw new UsageError(
    `--when "${whole}" is not a condition.`,
    "Write it as 'price.amount < 20', 'stock > 0', 'stock = 0', 'price.amount by -10%', 'title changed', 'books added' or 'books removed'; join several with \"and\".",
  );
}

function readValue(text: string): string | number | boolean | null {
  try {
    const value: unknown = JSON.parse(text);
    const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return isScalar ? (value as string | number | boolean | null) : text;
  } catch {
    return text;
  }
}

/** Types of the fields of a page by its conditions: `price.amount` is of a price, and a field that is compared with a number is one. */
export function typesBy(rules: readonly Rule[]): ReadonlyMap<string, 'price' | 'number'> {
  const types = new Map<string, 'price' | 'number'>();
  for (const leaf of rules.flatMap(({ when }) => leavesOf(when))) {
    for (const path of fieldsIn(leaf)) {
      const [name = '', part, ...deeper] = path.split('.');
      if (part === 'amount' && deeper.length === 0) types.set(name, 'price');
      if (part === undefined && isOfNumber(leaf)) types.set(name, 'number');
    }
  }
  return types;
}

function fieldsIn(leaf: Condition): readonly string[] {
  if ('changed' in leaf) return leaf.changed;
  return 'field' in leaf ? [leaf.field] : [];
}

function isOfNumber(leaf: Condition): boolean {
  if ('becomes' in leaf) return typeof leaf.becomes === 'number';
  return 'below' in leaf || 'above' in leaf || 'by' in leaf;
}

/** Conditions without `all` and `any` that a condition consists of. */
function leavesOf(condition: Condition): Condition[] {
  if ('all' in condition) return condition.all.flatMap((each) => leavesOf(each as Condition));
  if ('any' in condition) return condition.any.flatMap((each) => leavesOf(each as Condition));
  return [condition];
}
