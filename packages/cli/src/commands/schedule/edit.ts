import { type SchedulePatch, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { readCrawlOptions } from '../../input/crawl-options.ts';
import { collect, readPageOptions, readWebhook, withoutUndefined } from '../../input/page-options.ts';
import { fieldsOfSchedule } from './columns.ts';
import { addScheduleOptions, readScheduleSettings, type ScheduleFlags } from './settings.ts';

interface Flags extends ScheduleFlags {
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
    .action(async (id: string, flags: Flags) => {
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
      } as SchedulePatch;
      const isWebhookEdited = flags.webhook !== undefined || flags.webhookEvent !== undefined;
      if (Object.keys(patch).length === 0 && !isWebhookEdited) {
        throw new UsageError('No setting was given.', 'Name what changes, such as --cron, --name or -s.');
      }
      const output = cli.output(flags);
      const { schedules } = await cli.connect(flags);
      const { signal } = cli;
      // A patch replaces a setting as a whole; here, the options of crawl and webhook that are not named stay.
      const needsBefore = isCrawlEdited || flags.webhookEvent !== undefined;
      const before = needsBefore ? await schedules.get(id, { signal }) : undefined;
      const merged = {
        ...patch,
        ...(isCrawlEdited && { crawl: { ...before?.crawl, ...crawl } }),
        ...withoutUndefined({ webhook: readWebhook(flags, before?.webhook) }),
      } satisfies SchedulePatch;
      const schedule = await schedules.update(id, merged, { signal });
      await output.one(schedule, fieldsOfSchedule(schedule));
    });
}
