import type { CreateScheduleRequest } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { readPageOptions } from '../../input/page-options.ts';
import { withScheme } from '../../input/with-scheme.ts';
import { fieldsOfSchedule } from './columns.ts';
import { addScheduleOptions, readScheduleSettings, type ScheduleFlags } from './settings.ts';

/** `gleaner schedule create <url> --cron …`. */
export function defineCreate(command: Command, cli: Cli): void {
  command.argument('<url>', 'the page');
  addScheduleOptions(command).action(async (url: string, flags: ScheduleFlags) => {
    const { cron } = flags;
    if (!cron) throw new UsageError('--cron is missing.', "Say when it runs: --cron '0 9 * * 1-5'");
    const settings = { ...readScheduleSettings(flags), ...(await readPageOptions(flags, cli)) };
    const body = { url: withScheme(url), ...settings, cron } as CreateScheduleRequest;
    const output = cli.output(flags);
    const { schedules } = await cli.connect(flags);
    const schedule = await schedules.create(body, { signal: cli.signal });
    await output.one(schedule, fieldsOfSchedule(schedule));
  });
}
