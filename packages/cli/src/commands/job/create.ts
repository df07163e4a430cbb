import { randomUUID } from 'node:crypto';
import { type BodyOf, type Job, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { addDatasetOptions, type DatasetFlags, readDataset } from '../../input/dataset-options.ts';
import { parseCount } from '../../input/option-values.ts';
import {
  addDataOptions,
  addPageOptions,
  addWebhookOptions,
  type DataFlags,
  type PageFlags,
  readPageOptions,
  readWebhook,
  type WebhookFlags,
  withoutUndefined,
} from '../../input/page-options.ts';
import { readText } from '../../input/read-text.ts';
import { readRequests } from '../../input/request-options.ts';
import { addScreenshots, readScreenshot, type ScreenshotFlags } from '../../input/screenshot-options.ts';
import { addSinkOptions, readSink, type SinkFlags } from '../../input/sink-options.ts';
import { addDryRun, type DryRunFlags, isDryRun, printEstimate } from '../../output/print-estimate.ts';
import { fieldsOfJob } from './columns.ts';
import { type Follow, followJob } from './follow-job.ts';

interface CreateFlags
  extends PageFlags,
    ScreenshotFlags,
    DatasetFlags,
    SinkFlags,
    WebhookFlags,
    DryRunFlags,
    GlobalOptions {
  readonly urlsFile?: string;
  readonly requestsFile?: string;
  readonly name?: string;
  readonly maxCredits?: number;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

/** `gleaner job create [urls…]`. */
export function defineCreate(command: Command, cli: Cli): void {
  command.argument('[urls...]', 'the pages; - reads them from the standard input, one per line');
  const pages = addWebhookOptions(addSinkOptions(addDatasetOptions(addPageOptions(command))));
  addDryRun(addScreenshots(pages, 'keep a screenshot of every page'))
    .option('--urls-file <file>', 'file with one URL per line; - is the standard input')
    .option(
      '--requests-file <file>',
      'instead of URLs: requests with a method and a body, one JSON object per line; - is the standard input',
    )
    .option('--name <name>', 'name of the job')
    .option('--max-credits <n>', 'start no page that might cost more', parseCount)
    .option('--idempotency-key <key>', 'creates the job once, however often the command runs with this key')
    .option('-w, --watch', 'follow the job until it has finished')
    .action(async (given: string[], flags: CreateFlags) => {
      const { name, maxCredits } = flags;
      const body: BodyOf<'createJob'> = {
        ...(await readPages(given, flags, cli)),
        ...(await readPageOptions(flags, cli)),
        ...readScreenshot(flags),
        ...withoutUndefined({ name, maxCredits, dataset: readDataset(flags), sink: readSink(flags) }),
        ...withoutUndefined({ webhook: readWebhook(flags) }),
      };
      if (isDryRun(flags)) return await printEstimate(body, flags, cli);
      const { output, gleaner, call } = await cli.open(flags);
      const headers = { 'idempotency-key': flags.idempotencyKey ?? randomUUID() };
      const { job } = await gleaner.call('createJob', { body, headers }, call);
      await showNew(job, { cli, gleaner, output, flags }, `\nFollow it: gleaner job watch ${job.id}`);
    });
}

interface RerunFlags extends GlobalOptions {
  readonly failed?: boolean;
  readonly watch?: boolean;
}

/** `gleaner job rerun <id>`. */
export function defineRerun(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the finished job')
    .option('--failed', 'only the URLs that failed')
    .option('-w, --watch', 'follow the new job until it has finished')
    .action(async (id: string, flags: RerunFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const job = await gleaner.jobs.rerun(id, flags.failed ? { only: 'failed' } : {}, call);
      await showNew(job, { cli, gleaner, output, flags });
    });
}

interface ExtractFlags extends DataFlags, GlobalOptions {
  readonly watch?: boolean;
}

/** `gleaner job extract <id>`. */
export function defineExtract(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the finished job, which was created with --snapshot');
  addDataOptions(command)
    .option('-w, --watch', 'follow the new job until it has finished')
    .action(async (id: string, flags: ExtractFlags) => {
      const body = await readPageOptions(flags, cli);
      const { output, gleaner, call } = await cli.open(flags);
      const job = await gleaner.jobs.extract(id, body, call);
      await showNew(job, { cli, gleaner, output, flags }, `\nIts results: gleaner job results ${job.id}`);
    });
}

/** Follows a new job with --watch; otherwise shows it, and what to do next. */
async function showNew(
  job: Job,
  follow: Follow & { readonly flags: { readonly watch?: boolean } },
  next?: string,
): Promise<void> {
  const { cli, output, flags } = follow;
  if (flags.watch) {
    if (!flags.quiet) cli.terminal.warn(`${job.id}\n`);
    return await followJob(job.id, follow);
  }
  await output.one(job, fieldsOfJob(job));
  if (next !== undefined) await output.note(next);
}

/** Reads the pages of a job: URLs, or requests. */
async function readPages(given: readonly string[], flags: CreateFlags, cli: Pick<Cli, 'terminal'>) {
  const { urlsFile, requestsFile } = flags;
  if (requestsFile === undefined) return { urls: (await readUrls(given, urlsFile, cli)).map(withScheme) };
  if (given.length === 0 && urlsFile === undefined)
    return { requests: await readRequests(requestsFile, cli) };
  throw new UsageError(
    'URLs and --requests-file exclude each other.',
    'Write the URLs as requests: {"url": "…"}',
  );
}

/** Stands for the standard input, as a file or as a word. */
const STANDARD_INPUT = '-';

/**
 * Reads the URLs of a job: given words first, then the lines of a file; `#` begins a comment line. `-` as a
 * word is the standard input as well.
 */
async function readUrls(
  given: readonly string[],
  file: string | undefined,
  cli: Pick<Cli, 'terminal'>,
): Promise<string[]> {
  const source = given.includes(STANDARD_INPUT) ? STANDARD_INPUT : file;
  if (file !== undefined && file !== source) {
    throw new UsageError(
      `Both ${file} and the standard input were given.`,
      `Join them: cat ${file} - | gleaner job create -`,
    );
  }
  const words = given.filter((word) => word !== STANDARD_INPUT);
  const urls = [...words, ...(source === undefined ? [] : linesOf(await readText(source, cli)))];
  if (urls.length === 0) {
    throw new UsageError(
      'No URLs were given.',
      'Name them, or a file of them with --urls-file (- is the standard input).',
    );
  }
  return urls;
}

/** Windows ends lines with two characters. */
function linesOf(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
