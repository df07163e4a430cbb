import { type BodyOf, type Format, type Selectors, withFormatOptions } from '@gleaner/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { FORMAT_NAMES, HIDDEN_TEXT, WEBHOOK_EVENTS } from '../generated/words.ts';
import { type ActionFlags, addActionOptions, readActions } from './action-options.ts';
import { collect, splitList } from './option-values.ts';
import { addPageFlags, readPageFlags } from './page-flags.ts';
import { readJsonObject } from './read-text.ts';
import { addRequestOptions, type RequestFlags, readRequestOptions } from './request-options.ts';

/** Options of everything that fetches pages, as commander reads them. */
export interface PageFlags extends RequestFlags, ActionFlags {
  readonly select?: string[];
  readonly selectors?: string;
  readonly formats?: Format[];
  readonly main?: boolean;
  readonly includeCss?: string;
  readonly excludeCss?: string;
  readonly hiddenText?: (typeof HIDDEN_TEXT)[number];
}

/** Options of what only extracts. */
export type DataFlags = Pick<
  PageFlags,
  'select' | 'selectors' | 'formats' | 'main' | 'includeCss' | 'excludeCss' | 'hiddenText'
>;

/** The same options in the form of the API. */
type PageOptions = Omit<BodyOf<'scrape'>, 'url' | 'screenshot'>;

/** Adds the options that scrapes, jobs and schedules share. */
export function addPageOptions(command: Command): Command {
  const data = addRequestOptions(addDataOptions(command));
  return addPageFlags(addActionOptions(data.optionsGroup('Fetching:')), 'Fetching').optionsGroup('Options:');
}

/** Adds the options for the data to extract. */
export function addDataOptions(command: Command): Command {
  command
    .optionsGroup('Data:')
    .option(
      '-s, --select <name=selector>',
      'a field and its selector, such as title=h1 or tags=.tag::all; repeatable',
      collect,
    )
    .option('--selectors <file>', 'selectors as a JSON file; - is the standard input')
    .option(
      '--formats <names>',
      `whole-page formats, separated by commas: ${FORMAT_NAMES.join(', ')}; or their JSON`,
      parseFormats,
    )
    .option('--main', 'formats without header, navigation, footer, asides and dialogs')
    .option('--include-css <list>', 'formats of the elements that this CSS selects, such as .post')
    .option(
      '--exclude-css <list>',
      "formats without the elements that this CSS selects, such as '.ads, .share'",
    )
    .addOption(
      new Option(
        '--hidden-text <choice>',
        'text that no reader of the page sees, in markdown, article and text',
      ).choices(HIDDEN_TEXT),
    );
  return addPageFlags(command, 'Data').optionsGroup('Options:');
}

/** Converts the options for the API, without missing ones. */
export async function readPageOptions(
  flags: PageFlags,
  cli: Pick<Cli, 'terminal'>,
  types: ReadonlyMap<string, 'price' | 'number'> = new Map(),
): Promise<PageOptions> {
  const { select, selectors } = flags;
  const read = await readSelectors(select, selectors, cli);
  return withoutUndefined({
    selectors: read && withTypes(read, types),
    formats: readFormats(flags),
    actions: await readActions(flags, cli),
    ...(await readRequestOptions(flags, cli)),
    ...(await readPageFlags(flags, cli)),
  }) as PageOptions;
}

/** Reads names, or the JSON of an array of formats. */
function parseFormats(value: string): Format[] {
  // The service says what is wrong with them.
  if (!value.trimStart().startsWith('[')) return splitList(value) as Format[];
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${(error as Error).message}.`);
  }
}

/** Returns the formats, with the given format options where a format takes them. */
function readFormats({ formats, main, includeCss, excludeCss, hiddenText }: PageFlags): Format[] | undefined {
  const options = withoutUndefined({ main, include: includeCss, exclude: excludeCss, hidden: hiddenText });
  const [first] = Object.keys(options);
  if (first === undefined) return formats;
  const given = withFormatOptions(formats ?? [], options);
  if (given.some((format) => typeof format === 'object')) return given;
  throw new UsageError(
    `${FLAG_OF[first]} needs a format that it holds for.`,
    'Ask for one: --formats markdown',
  );
}

const FLAG_OF: Readonly<Record<string, string>> = {
  main: '--main',
  include: '--include-css',
  exclude: '--exclude-css',
  hidden: '--hidden-text',
};

/** Options of the webhook of a job or a schedule, as commander reads them. */
export interface WebhookFlags {
  readonly webhook?: string;
  readonly webhookEvent?: string[];
}

type Webhook = NonNullable<BodyOf<'createJob'>['webhook']>;
type WebhookEvents = NonNullable<Exclude<Webhook, string>['events']>;

/** Adds the options of a webhook. */
export function addWebhookOptions(command: Command): Command {
  return command
    .option('--webhook <url>', 'URL that receives the results')
    .addOption(
      new Option(
        '--webhook-event <event>',
        'event to send, such as job.changed; repeatable; default: those of the end of a job',
      )
        .choices(WEBHOOK_EVENTS)
        .argParser((value, before?: string[]) => collect(checkEvent(value), before)),
    );
}

/** Converts the webhook for the API; `known` is the one that a schedule has. */
export function readWebhook(
  { webhook, webhookEvent }: WebhookFlags,
  known?: Webhook | null,
): Webhook | undefined {
  if (webhookEvent === undefined) return webhook;
  const { url, ...options } = typeof known === 'object' && known ? known : { url: known ?? undefined };
  const target = webhook ?? url;
  if (target === undefined) {
    throw new UsageError('--webhook-event needs a URL.', 'Say where the events go: --webhook <url>');
  }
  return { ...options, url: target, events: webhookEvent as WebhookEvents };
}

/** A parser of its own takes the place of the check of choices. */
function checkEvent(value: string): string {
  if (WEBHOOK_EVENTS.some((event) => event === value)) return value;
  throw new InvalidArgumentError(`Allowed choices are ${WEBHOOK_EVENTS.join(', ')}.`);
}

/** Leaves out the fields that are undefined. */
export function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Reads the selectors of `-s name=selector` and of a JSON file; undefined when there are none. */
async function readSelectors(
  given: readonly string[] | undefined,
  file: string | undefined,
  cli: Pick<Cli, 'terminal'>,
): Promise<Selectors | undefined> {
  const fromFile = file === undefined ? {} : await readJsonObject(file, EXAMPLE, cli);
  const pairs = (given ?? []).map(parsePair);
  const doubled = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
  if (doubled) throw new UsageError(`-s names the field ${doubled[0]} twice.`, 'Give each field once.');
  const selectors = { ...fromFile, ...Object.fromEntries(pairs) } as Selectors;
  return Object.keys(selectors).length > 0 ? selectors : undefined;
}

/** Gives these types to fields that are no more than a selector. */
function withTypes(selectors: Selectors, types: ReadonlyMap<string, 'price' | 'number'>): Selectors {
  const typed = Object.entries(selectors).map(([name, selector]) => {
    const type = types.get(name);
    return [name, type && typeof selector === 'string' ? { selector, type } : selector];
  });
  return Object.fromEntries(typed);
}

/** The first `=` divides: a CSS selector may hold more of them. */
function parsePair(text: string): [string, string] {
  const [, name = '', selector = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const isField = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u.test(name);
  if (name.trim() && selector.trim() && isField) return [name.trim(), selector.trim()];
  const example = text.includes('=') ? 'title=h1' : `title=${text || 'h1'}`;
  throw new UsageError(
    `-s ${text || '""'} is not name=selector.`,
    `Write the name of the field first: -s '${example}'. Objects with options go into a file: --selectors`,
  );
}

const EXAMPLE = 'Write field names and selectors: {"title": "h1", "tags": ".tag::all"}';
