import { type Command, Option } from 'commander';
import type { GlobalOptions } from '../../cli.ts';
import { addCrawlOptions, type CrawlFlags } from '../../input/crawl-options.ts';
import {
  addPageOptions,
  addWebhookOptions,
  type PageFlags,
  type WebhookFlags,
  withoutUndefined,
} from '../../input/page-options.ts';

/** Options of a schedule besides those of its page. */
export interface ScheduleFlags extends PageFlags, CrawlFlags, WebhookFlags, GlobalOptions {
  readonly cron?: string;
  readonly timezone?: string;
  readonly name?: string;
  readonly overlap?: 'skip' | 'allow';
  readonly screenshot?: boolean;
}

/** Adds the options of a schedule. */
export function addScheduleOptions(command: Command): Command {
  return addWebhookOptions(addCrawlOptions(addPageOptions(command)))
    .option('--changes', 'compare each run of a crawl with the one before')
    .option('--cron <cron>', "when: minute, hour, day, month, weekday, such as '0 9 * * 1-5'")
    .option('--timezone <zone>', 'time zone of --cron, such as Europe/Berlin; default UTC')
    .option('--name <name>', 'name of the schedule')
    .option('--screenshot', 'keep a screenshot of every run')
    .addOption(
      new Option('--overlap <mode>', 'while the last run goes on: skip or allow').choices(['skip', 'allow']),
    );
}

/** Returns the settings that were given. */
export function readScheduleSettings({ cron, timezone, name, overlap, screenshot }: ScheduleFlags) {
  return withoutUndefined({ cron, timezone, name, overlap, screenshot });
}
