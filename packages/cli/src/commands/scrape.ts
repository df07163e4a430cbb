import { join } from 'node:path';
import { type BodyOf, GleanerError, type ResultOf, withScheme } from '@gleaner/client';
import { csvCell, csvLine } from '@gleaner/contracts/csv';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { parseCount, splitList } from '../input/option-values.ts';
import {
  addDataOptions,
  addPageOptions,
  type DataFlags,
  type PageFlags,
  readPageOptions,
  withoutUndefined,
} from '../input/page-options.ts';
import { readText } from '../input/read-text.ts';
import { addScreenshotFile, readScreenshot, type ScreenshotFlags } from '../input/screenshot-options.ts';
import type { Output } from '../output/output.ts';
import { addDryRun, type DryRunFlags, isDryRun, printEstimate } from '../output/print-estimate.ts';
import { folderOf, saveFile } from '../output/save-pages.ts';

interface Flags extends PageFlags, ScreenshotFlags, DryRunFlags, GlobalOptions {
  readonly screenshot?: string;
  readonly columns?: string[];
  readonly maxCredits?: number;
  readonly stepScreenshots?: string;
}

/** `gleaner scrape <url>`: one page, its data on the standard output. */
export function defineScrape(command: Command, cli: Cli): void {
  command.argument('<url>', 'the page; https:// may be left out');
  const scrape = addDryRun(addScreenshotFile(addPageOptions(command))).option(
    '--max-credits <n>',
    'leave out what makes the page cost more',
    parseCount,
  );
  scrape.option(
    '--step-screenshots <folder>',
    'write a small image of the page after each action into a folder, as step-1.jpg',
  );
  addColumns(scrape).action(async (url: string, flags: Flags) => {
    const body: BodyOf<'scrape'> = {
      url: withScheme(url),
      ...(await readPageOptions(flags, cli)),
      ...readScreenshot(flags),
      ...withoutUndefined({ maxCredits: flags.maxCredits }),
      ...(flags.stepScreenshots !== undefined && { stepScreenshots: true }),
    };
    if (isDryRun(flags)) return await printEstimate(body, flags, cli);
    const output = cli.output(flags);
    const image = flags.screenshot ? cli.file(flags.screenshot) : undefined;
    const folder = flags.stepScreenshots && folderOf({ output: `${flags.stepScreenshots}/` });
    const gleaner = await cli.connect(flags);
    const { success, screenshot, stepScreenshots, ...result } = await gleaner
      .call('scrape', { body }, { signal: cli.signal })
      .catch(async (error: unknown) => {
        if (folder && error instanceof GleanerError) await saveSteps(error.stepScreenshots, folder);
        throw error;
      });
    if (folder) await saveSteps(stepScreenshots, folder);
    if (image && screenshot) await image.write(Buffer.from(screenshot, 'base64'));
    await printPage(result, output, flags, cli);
  });
}

/** Writes images of the page after steps, each to a file with its number. */
async function saveSteps(images: ResultOf<'scrape'>['stepScreenshots'] = [], folder: string): Promise<void> {
  for (const { index, image } of images)
    await saveFile(join(folder, `step-${index + 1}.jpg`), Buffer.from(image, 'base64'));
}

interface ExtractFlags extends DataFlags, GlobalOptions {
  readonly base?: string;
  readonly overlays?: string;
  readonly columns?: string[];
}

/** `gleaner extract <file>`: the data of a page that is here already. */
export function defineExtract(command: Command, cli: Cli): void {
  command.argument('<file>', 'the page: a file of HTML in UTF-8; - reads the standard input');
  addColumns(addDataOptions(command))
    .option('--base <url>', 'address of the page, to which its links are relative; it is not fetched')
    .addOption(
      new Option(
        '--overlays <what>',
        'layers that ask for consent: hide leaves them out of markdown and text',
      ).choices(['hide']),
    )
    .action(async (file: string, flags: ExtractFlags) => {
      const options = (await readPageOptions(flags, cli)) as Omit<BodyOf<'extract'>, 'html' | 'url'>;
      const html = await readText(file, cli);
      if (html === '') throw new UsageError('There is no HTML to read.', 'Give a file, or - and pipe it.');
      const url = flags.base === undefined ? undefined : withScheme(flags.base);
      const { output, gleaner, call } = await cli.open(flags);
      const body: BodyOf<'extract'> = { html, ...withoutUndefined({ url }), ...options };
      const { success, ...result } = await gleaner.call('extract', { body }, call);
      await printPage(result, output, flags, cli);
    });
}

function addColumns(command: Command): Command {
  return command.option(
    '--columns <names>',
    'for CSV: the columns in their order, such as title,price',
    splitList,
  );
}

/** Prints the data of a page, and its warnings apart from it. */
async function printPage(
  result: Omit<ResultOf<'scrape'> | ResultOf<'extract'>, 'success'>,
  output: Output,
  flags: Pick<Flags, 'columns' | 'quiet'>,
  { terminal }: Pick<Cli, 'terminal'>,
): Promise<void> {
  for (const { field, message } of result.warnings ?? []) {
    if (!flags.quiet)
      terminal.warn(` ${field ?? 'page'}: ${message}\n`, terminal.style('yellow', 'warning:'));
  }
  if (output.format === 'json') await output.json(result);
  else if (output.format === 'csv') {
    for (const line of csvOf(result, flags.columns)) await output.sink.write(line);
  } else {
    const text = output.format === 'table' ? onlyTextOf(result) : undefined;
    await (text === undefined ? output.json(contentOf(result)) : output.note(text));
  }
}

/** Returns what was asked for: data, formats, captured responses or the file, several by their names. */
function contentOf(result: {
  data?: unknown;
  formats?: unknown;
  captured?: unknown;
  file?: unknown;
}): unknown {
  const { data, formats, captured, file } = result;
  const parts = withoutUndefined({ data, formats, captured, file });
  return Object.keys(parts).length === 1 ? Object.values(parts)[0] : parts;
}

/** Returns the text of a format that was asked for alone, such as Markdown: people read it as it is. */
function onlyTextOf({
  data,
  formats = {},
  captured,
}: {
  data?: unknown;
  formats?: object;
  captured?: unknown;
}): string | undefined {
  const [first, ...others]: unknown[] = Object.values(formats);
  return data === undefined && captured === undefined && others.length === 0 && typeof first === 'string'
    ? first
    : undefined;
}

/**
 * Renders a page as CSV: a row for each record of its only list of records, behind which the other fields of the page are
 * repeated, else one row. Formats are the last columns, named as in the CSV of jobs; a field of the page that has the name
 * of one of the records keeps it behind `page.`.
 */
function* csvOf(
  { data = {}, formats = {}, file = {} }: { data?: Fields; formats?: object; file?: object },
  wanted: readonly string[] | undefined,
): Generator<string> {
  const [list, ...others] = Object.entries(data).filter(([, value]) => isRecordList(value));
  const [name, records] =
    list && others.length === 0 ? (list as [string, Fields[]]) : [undefined, [{} as Fields]];
  const own = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const ofPage = [
    ...Object.entries(data)
      .filter(([field]) => field !== name)
      .map(([field, value]) => [own.includes(field) ? `page.${field}` : field, value] as const),
    ...Object.entries(formats).map(([format, value]) => [`formats.${format}`, value] as const),
    ...Object.entries(file).map(([member, value]) => [`file.${member}`, value] as const),
  ];
  const page = new Map(ofPage);
  const columns = wanted ?? [...own, ...page.keys()];
  const unknown = columns.find((column) => !own.includes(column) && !page.has(column));
  if (unknown !== undefined) {
    throw new UsageError(
      `There is no column ${unknown}.`,
      `There are: ${[...own, ...page.keys()].join(', ')}.`,
    );
  }
  yield csvLine(columns.map(csvCell));
  for (const record of records) {
    yield csvLine(columns.map((column) => csvCell(own.includes(column) ? record[column] : page.get(column))));
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns false for an empty list: it has no rows that could stand for the page. */
function isRecordList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
