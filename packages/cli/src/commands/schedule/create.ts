import { type CreateScheduleRequest, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { readCrawlOptions } from '../../input/crawl-options.ts';
import { readPageOptions, readWebhook, withoutUndefined } from '../../input/page-options.ts';
import { fieldsOfSchedule } from './columns.ts';
import { addScheduleOptions, readScheduleSettings, type ScheduleFlags } from './settings.ts';

/** `gleaner schedule create <url…> --cron …`: with any option of a crawl, each run follows the links of the pages. */
export function defineCreate(command: Command, cli: Cli): void {
  command.argument('<urls...>', 'the pages, or the start pages of a crawl');
  addScheduleOptions(command).action(async (given: string[], flags: ScheduleFlags) => {
    const { cron } = flags;
    if (!cron) throw new UsageError('--cron is missing.', "Say when it runs: --cron '0 9 * * 1-5'");
    const crawl = await readCrawlOptions(flags, cli);
    const urls = given.map(withScheme);
    const body = {
      ...(urls.length === 1 ? { url: urls[0] } : { urls }),
      ...{ ...readScheduleSettings(flags), ...(await readPageOptions(flags, cli)), cron },
      ...(Object.keys(crawl).length > 0 && { crawl }),
      ...withoutUndefined({ webhook: readWebhook(flags) }),
    } as CreateScheduleRequest;
    const output = cli.output(flags);
    const { schedules } = await cli.connect(flags);
    const schedule = await schedules.create(body, { signal: cli.signal });
    await output.one(schedule, fieldsOfSchedule(schedule));
  });
}
