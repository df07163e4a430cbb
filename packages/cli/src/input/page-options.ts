import { type BodyOf, type Format, type Selectors, withFormatOptions } from '@gleaner/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { type ActionFlags, addActionOptions, readActions } from './action-options.ts';
import { FORMAT_NAMES, OVERLAY_CHOICES, SUSPECT_CHOICES, WEBHOOK_EVENTS } from './choices.ts';
import { collect, pairOf, parseCount, splitList } from './option-values.ts';
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
  readonly render?: boolean;
  readonly renderAuto?: boolean;
  readonly antiBot?: boolean;
  readonly proxy?: string;
  readonly waitFor?: string;
  readonly header?: string[];
  readonly cookie?: string[];
  readonly siteProfile?: string;
  readonly freshContext?: boolean;
  readonly frames?: boolean;
  readonly capture?: string[];
  readonly pdfPages?: number;
  readonly download?: boolean;
  readonly overlays?: string;
  readonly onSuspect?: string;
  readonly snapshot?: boolean;
  readonly locale?: string;
  readonly timeout?: number;
}

/** Options of what only extracts. */
export type DataFlags = Pick<
  PageFlags,
  'select' | 'selectors' | 'formats' | 'main' | 'includeCss' | 'excludeCss' | 'locale'
>;

/** The same options in the form of the API. */
type PageOptions = Omit<BodyOf<'scrape'>, 'url' | 'screenshot'>;

/** Adds the options that scrapes, jobs and schedules share. */
export function addPageOptions(command: Command): Command {
  return addActionOptions(addRequestOptions(addDataOptions(command)).optionsGroup('Fetching:'))
    .option('--render', 'run the JavaScript of the page in a browser')
    .addOption(
      new Option('--render-auto', 'render only pages that have no content without it').conflicts('render'),
    )
    .option('--anti-bot', 'when the site blocks the request, look more like a browser, step by step')
    .option('--proxy <country>', 'go out through a proxy of this country, such as us')
    .option('--wait-for <selector|ms>', 'wait for an element or a time; implies --render')
    .option('--frames', 'read the documents of frames with the page; implies --render')
    .option(
      '--capture <name=glob>',
      'keep responses that the page gets, such as offers=**/api/offers*, or the JSON of what the API takes; implies --render; repeatable',
      collect,
    )
    .addOption(
      new Option(
        '--overlays <what>',
        'layers that ask for consent: hide, accept or reject them; the last two imply --render',
      ).choices(OVERLAY_CHOICES),
    )
    .option('--pdf-pages <count>', 'pages to read of a PDF; 100 unless given', parseCount)
    .option('--site-profile <id>', 'fetch with the session of this profile, such as prof_01jd…')
    .option(
      '--download',
      'keep what the URL answers with as a file, for gleaner file; a crawl keeps the files it comes to',
    )
    .option('--fresh-context', 'render in a browser context that no page has used')
    .option('--header <name: value>', 'header to send to the page; repeatable', collect)
    .option('--cookie <name=value>', 'cookie to send to the page; repeatable', collect)
    .option('--timeout <ms>', 'time for everything about one page', parseCount)
    .addOption(
      new Option(
        '--on-suspect <what>',
        'what becomes of a page that is a captcha, a login, an error page or a shell of scripts',
      ).choices(SUSPECT_CHOICES),
    )
    .option('--snapshot', 'keep the page for a day, to extract from it again')
    .optionsGroup('Options:');
}

/** Adds the options that say what to extract. */
export function addDataOptions(command: Command): Command {
  return command
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
    .option('--locale <tag>', 'language of numbers, prices and dates, such as de')
    .optionsGroup('Options:');
}

/** Converts the options for the API; those that were not given are left out. */
export async function readPageOptions(flags: PageFlags, cli: Pick<Cli, 'terminal'>): Promise<PageOptions> {
  const { select, selectors, header, cookie, waitFor } = flags;
  const given = await readSelectors(select, selectors, cli);
  return withoutUndefined({
    selectors: given,
    formats: readFormats(flags),
    locale: flags.locale,
    render: flags.renderAuto ? 'auto' : flags.render,
    antiBot: flags.antiBot,
    proxy: flags.proxy,
    actions: await readActions(flags, cli),
    waitFor: waitFor !== undefined && /^\d+$/.test(waitFor) ? Number(waitFor) : waitFor,
    profile: flags.siteProfile,
    freshContext: flags.freshContext,
    ...(await readRequestOptions(flags, cli)),
    headers:
      header &&
      Object.fromEntries(header.map((each) => pairOf(each, ':', '--header', 'Accept-Language: de'))),
    cookies: cookie?.map((each) => {
      const [name, value] = pairOf(each, '=', '--cookie', 'session=abc');
      return { name, value };
    }),
    timeout: flags.timeout,
    frames: flags.frames,
    capture:
      flags.capture &&
      Object.fromEntries(
        flags.capture.map((each) => {
          const [name, rule] = pairOf(each, '=', '--capture', 'offers=**/api/offers*');
          return [name, rule.startsWith('{') ? readRule(rule) : { url: rule }];
        }),
      ),
    pdf: flags.pdfPages === undefined ? undefined : { maxPages: flags.pdfPages },
    download: flags.download,
    overlays: flags.overlays,
    onSuspect: flags.onSuspect,
    snapshot: flags.snapshot,
  }) as PageOptions;
}

/** Reads a capture that says more than its URL. */
function readRule(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const example = `Write it as --capture 'offers={"url": "**/api/offers*", "wait": 1}'.`;
    throw new UsageError(`--capture has a value that is not JSON: ${(error as Error).message}.`, example);
  }
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

/** Returns the formats, those that take options with the ones that were given. */
function readFormats({ formats, main, includeCss, excludeCss }: PageFlags): Format[] | undefined {
  const options = withoutUndefined({ main, include: includeCss, exclude: excludeCss });
  const [flag] = [main && '--main', includeCss && '--include-css', excludeCss && '--exclude-css'].filter(
    Boolean,
  );
  if (flag === undefined) return formats;
  const given = withFormatOptions(formats ?? [], options);
  if (given.some((format) => typeof format === 'object')) return given;
  throw new UsageError(`${flag} needs a format that it holds for.`, 'Ask for one: --formats markdown');
}

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
