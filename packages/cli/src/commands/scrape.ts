import { parse } from 'node:path';
import { type BodyOf, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { addPageOptions, type PageFlags, readPageOptions } from '../input/page-options.ts';
import { csvLine } from '../output/render-csv.ts';

interface Flags extends PageFlags, GlobalOptions {
  readonly screenshot?: string;
}

/** `gleaner scrape <url>`: one page, its data on the standard output. */
export function defineScrape(command: Command, cli: Cli): void {
  command.argument('<url>', 'the page; https:// may be left out');
  addPageOptions(command)
    .option('--screenshot <file>', 'save the full page as PNG')
    .action(async (url: string, flags: Flags) => {
      const body: BodyOf<'scrape'> = { url: withScheme(url), ...(await readPageOptions(flags, cli)) };
      if (flags.screenshot && parse(flags.screenshot).ext.toLowerCase() !== '.png') {
        throw new UsageError(`--screenshot ${flags.screenshot} is not a .png file.`, 'Screenshots are PNG.');
      }
      const output = cli.output(flags);
      const image = flags.screenshot ? cli.file(flags.screenshot) : undefined;
      const gleaner = await cli.connect(flags);
      const { signal } = cli;
      const { success, screenshot, ...result } = await gleaner.call(
        'scrape',
        { body: image ? { ...body, screenshot: true } : body },
        { signal },
      );
      if (image && screenshot) await image.write(Buffer.from(screenshot, 'base64'));
      for (const { field, message } of result.warnings ?? []) {
        if (!flags.quiet)
          cli.terminal.warn(` ${field ?? 'page'}: ${message}\n`, cli.terminal.style('yellow', 'warning:'));
      }
      if (output.format === 'json') await output.json(result);
      else if (output.format === 'csv') {
        for (const line of csvOf(result)) await output.sink.write(line);
      } else {
        const text = output.format === 'table' ? onlyTextOf(result) : undefined;
        await (text === undefined ? output.json(contentOf(result)) : output.note(text));
      }
    });
}

/** Returns what was asked for: data, formats, or both by their names. */
function contentOf({ data, formats }: { data?: unknown; formats?: unknown }): unknown {
  if (formats === undefined) return data;
  return data === undefined ? formats : { data, formats };
}

/** Returns the text of a format that was asked for alone, such as Markdown: people read it as it is. */
function onlyTextOf({ data, formats = {} }: { data?: unknown; formats?: object }): string | undefined {
  const [first, ...others]: unknown[] = Object.values(formats);
  return data === undefined && others.length === 0 && typeof first === 'string' ? first : undefined;
}

/**
 * Renders a page as CSV: a row for each record of its only list of records, else one row. Formats are the last columns,
 * named as in the CSV of jobs.
 */
function* csvOf({ data = {}, formats = {} }: { data?: Fields; formats?: object }): Generator<string> {
  const [records, ...others] = Object.values(data).filter(isRecordList);
  const rows = records && others.length === 0 ? records : [data];
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const names = Object.keys(formats).map((name) => `formats.${name}`);
  yield csvLine([...columns, ...names]);
  for (const row of rows) yield csvLine([...columns.map((column) => row[column]), ...Object.values(formats)]);
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns false for an empty list: it has no rows that could stand for the page. */
function isRecordList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
