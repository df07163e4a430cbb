import { randomUUID } from 'node:crypto';
import { type BodyOf, type Job, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { addCrawlOptions, type CrawlFlags, readCrawlOptions } from '../input/crawl-options.ts';
import { addDatasetOptions, type DatasetFlags, readDataset } from '../input/dataset-options.ts';
import {
  addPageOptions,
  addWebhookOptions,
  type PageFlags,
  readPageOptions,
  readWebhook,
  type WebhookFlags,
  withoutUndefined,
} from '../input/page-options.ts';
import { addScreenshots, readScreenshot, type ScreenshotFlags } from '../input/screenshot-options.ts';
import { addSinkOptions, readSink, type SinkFlags } from '../input/sink-options.ts';
import { RESULT_FORMATS } from '../output/output.ts';
import { addDryRun, type DryRunFlags, isDryRun, printEstimate } from '../output/print-estimate.ts';
import { renderFields } from '../output/render-table.ts';
import { folderOf } from '../output/save-pages.ts';
import { fieldsOfJob } from './job/columns.ts';
import { waitForJob } from './job/follow-job.ts';
import { checkFlags, printResults, savePagesOf } from './job/results.ts';

interface Flags
  extends PageFlags,
    ScreenshotFlags,
    CrawlFlags,
    DatasetFlags,
    SinkFlags,
    WebhookFlags,
    DryRunFlags,
    GlobalOptions {
  readonly name?: string;
  readonly rows?: string;
  readonly columns?: string;
  readonly allPages?: boolean;
  /** False with `--no-watch`. */
  readonly watch: boolean;
}

/** Says what a crawl warns of, apart from its results. */
function warnOfCrawl(job: Job | undefined, { terminal }: Cli, { quiet }: GlobalOptions): void {
  if (quiet) return;
  for (const { message } of job?.crawl?.warnings ?? []) terminal.warn(`Warning: ${message}\n`);
}

/** `gleaner crawl <url…>`: creates the job, follows it, and prints its results. */
export function defineCrawl(command: Command, cli: Cli): void {
  command.argument('<urls...>', 'the start pages');
  const pages = addWebhookOptions(
    addSinkOptions(addDatasetOptions(addCrawlOptions(addPageOptions(command)))),
  );
  addDryRun(addScreenshots(pages, 'keep a screenshot of every page'))
    .option('--since <job>', 'compare with this earlier crawl: what is new, changed, unchanged, gone')
    .option('--name <name>', 'name of the job')
    .option('--rows <field>', 'for CSV and Parquet: a row for each entry of this list, such as cards')
    .option(
      '--columns <names>',
      'for CSV and Parquet: the columns in their order, such as title,price.amount,url',
    )
    .option('--all-pages', 'for CSV and Parquet: a row also for pages without a record, with their errors')
    .option('--no-watch', 'print the job and leave it running')
    .action(async (urls: string[], flags: Flags) => {
      const { name } = flags;
      const body: BodyOf<'createJob'> = {
        urls: urls.map(withScheme),
        crawl: await readCrawlOptions(flags, cli),
        ...(await readPageOptions(flags, cli)),
        ...readScreenshot(flags),
        ...withoutUndefined({ name, dataset: readDataset(flags), sink: readSink(flags) }),
        ...withoutUndefined({ webhook: readWebhook(flags) }),
      };
      if (isDryRun(flags)) return await printEstimate(body, flags, cli);
      const folder = flags.watch ? folderOf(flags) : undefined;
      const { output: _folder, ...printed } = flags;
      const formats = flags.watch ? RESULT_FORMATS : undefined;
      const output = cli.output(folder === undefined ? flags : printed, formats);
      checkFlags(flags, output.format);
      const gleaner = await cli.connect(flags);
      const call = { signal: cli.signal };
      const headers = { 'idempotency-key': randomUUID() };
      const { job } = await gleaner.call('createJob', { body, headers }, call);
      if (!flags.watch) return await output.one(job, fieldsOfJob(job));
      if (!flags.quiet) cli.terminal.warn(`${job.id}\n`);
      const last = await waitForJob(job.id, { cli, gleaner, flags });
      warnOfCrawl(last, cli, flags);
      cli.comeBack = `The results are kept. Print them with: gleaner job results ${job.id}`;
      if (folder === undefined) await printResults(job.id, { gleaner, output, call }, flags);
      else await savePagesOf(job.id, folder, { cli, gleaner, flags });
      cli.comeBack = undefined;
      if (folder !== undefined) return;
      if (last)
        await output.note(
          `\n${renderFields(fieldsOfJob(last))}\nAll results: gleaner job results ${job.id} -o results.csv`,
        );
    });
}
