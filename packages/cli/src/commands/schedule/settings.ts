import { type CreateScheduleRequest, type SchedulePatch, withScheme } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { addCrawlOptions, type CrawlFlags, readCrawlOptions } from '../../input/crawl-options.ts';
import { addDatasetOptions, type DatasetFlags, readDataset } from '../../input/dataset-options.ts';
import { collect } from '../../input/option-values.ts';
import {
  addPageOptions,
  addWebhookOptions,
  type PageFlags,
  readPageOptions,
  readWebhook,
  type WebhookFlags,
  withoutUndefined,
} from '../../input/page-options.ts';
import { addRuleOptions, type RuleFlags, readRules } from '../../input/rule-options.ts';
import { addScreenshots, readScreenshot, type ScreenshotFlags } from '../../input/screenshot-options.ts';
import { addSinkOptions, readSink, type SinkFlags } from '../../input/sink-options.ts';
import { addDryRun, type DryRunFlags, isDryRun, printEstimate } from '../../output/print-estimate.ts';
import { fieldsOfSchedule } from './schedules.ts';

/** `gleaner schedule create <url…> --cron …`: with any option of a crawl, each run follows the links of the pages. */
export function defineCreate(command: Command, cli: Cli): void {
  command.argument('<urls...>', 'the pages, or the start pages of a crawl');
  addDryRun(addScheduleOptions(command)).action(
    async (given: string[], flags: ScheduleFlags & DryRunFlags) => {
      const { cron } = flags;
      if (!cron) throw new UsageError('--cron is missing.', "Say when it runs: --cron '0 9 * * 1-5'");
      const crawl = await readCrawlOptions(flags, cli);
      const urls = given.map(withScheme);
      const body = {
        ...(urls.length === 1 ? { url: urls[0] } : { urls }),
        ...readScheduleSettings(flags),
        ...(await readPageOptions(flags, cli)),
        cron,
        ...(Object.keys(crawl).length > 0 && { crawl }),
        ...withoutUndefined({ webhook: readWebhook(flags), notify: await readRules(flags, cli) }),
      } as CreateScheduleRequest;
      if (isDryRun(flags)) return await printEstimate(body, flags, cli);
      const { output, gleaner, call } = await cli.open(flags);
      const schedule = await gleaner.schedules.create(body, call);
      await output.one(schedule, fieldsOfSchedule(schedule));
    },
  );
}

interface EditFlags extends ScheduleFlags {
  readonly page?: string[];
  readonly reset?: string[];
}

/** `gleaner schedule edit <id>`. */
export function defineEdit(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the schedule');
  addScheduleOptions(command)
    .option('--page <url>', 'the page to scrape from now on; repeatable', collect)
    .option(
      '--reset <setting>',
      'set a setting back to its default, such as timezone or webhook; repeatable',
      collect,
    )
    .action(async (id: string, flags: EditFlags) => {
      const { page = [], reset = [] } = flags;
      const urls = page.map(withScheme);
      const crawl = await readCrawlOptions(flags, cli);
      const isCrawlEdited = Object.keys(crawl).length > 0;
      const patch = {
        ...Object.fromEntries(reset.map((name) => [name, null])),
        ...readScheduleSettings(flags),
        ...(await readPageOptions(flags, cli)),
        ...(urls.length > 0 && (urls.length === 1 ? { url: urls[0] } : { urls })),
        ...(isCrawlEdited && { crawl }),
        ...withoutUndefined({ notify: await readRules(flags, cli) }),
      } as SchedulePatch;
      const isWebhookEdited = flags.webhook !== undefined || flags.webhookEvent !== undefined;
      if (Object.keys(patch).length === 0 && !isWebhookEdited) {
        throw new UsageError('No setting was given.', 'Name what changes, such as --cron, --name or -s.');
      }
      const { output, gleaner, call } = await cli.open(flags);
      // A patch replaces a setting as a whole; here, the options of crawl and webhook that are not named stay.
      const needsBefore = isCrawlEdited || flags.webhookEvent !== undefined;
      const before = needsBefore ? await gleaner.schedules.get(id, call) : undefined;
      const merged = {
        ...patch,
        ...(isCrawlEdited && { crawl: { ...before?.crawl, ...crawl } }),
        ...withoutUndefined({ webhook: readWebhook(flags, before?.webhook) }),
      } satisfies SchedulePatch;
      const schedule = await gleaner.schedules.update(id, merged, call);
      await output.one(schedule, fieldsOfSchedule(schedule));
    });
}

/** Options of a schedule besides those of its page. */
interface ScheduleFlags
  extends PageFlags,
    ScreenshotFlags,
    CrawlFlags,
    DatasetFlags,
    SinkFlags,
    WebhookFlags,
    RuleFlags,
    GlobalOptions {
  readonly cron?: string;
  readonly timezone?: string;
  readonly name?: string;
  readonly overlap?: 'skip' | 'allow';
}

function addScheduleOptions(command: Command): Command {
  const pages = addRuleOptions(
    addWebhookOptions(addSinkOptions(addDatasetOptions(addCrawlOptions(addPageOptions(command))))),
  );
  return addScreenshots(pages, 'keep a screenshot of every run')
    .option('--changes', 'compare each run of a crawl with the one before')
    .option('--cron <cron>', "when: minute, hour, day, month, weekday, such as '0 9 * * 1-5'")
    .option('--timezone <zone>', 'time zone of --cron, such as Europe/Berlin; default UTC')
    .option('--name <name>', 'name of the schedule')
    .addOption(
      new Option('--overlap <mode>', 'while the last run goes on: skip or allow').choices(['skip', 'allow']),
    );
}

function readScheduleSettings(flags: ScheduleFlags) {
  const { cron, timezone, name, overlap } = flags;
  const options = { dataset: readDataset(flags), sink: readSink(flags) };
  return { ...withoutUndefined({ cron, timezone, name, overlap, ...options }), ...readScreenshot(flags) };
}
