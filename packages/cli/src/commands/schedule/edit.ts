import type { SchedulePatch } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { collect, readPageOptions } from '../../input/page-options.ts';
import { withScheme } from '../../input/with-scheme.ts';
import { fieldsOfSchedule } from './columns.ts';
import { addScheduleOptions, readScheduleSettings, type ScheduleFlags } from './settings.ts';

interface Flags extends ScheduleFlags {
  readonly page?: string;
  readonly reset?: string[];
}

/** `gleaner schedule edit <id>`. */
export function defineEdit(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the schedule');
  addScheduleOptions(command)
    .option('--page <url>', 'the page to scrape from now on')
    .option(
      '--reset <setting>',
      'set a setting back to its default, such as timezone or webhook; repeatable',
      collect,
    )
    .action(async (id: string, flags: Flags) => {
      const { page, reset = [] } = flags;
      const patch = {
        ...Object.fromEntries(reset.map((name) => [name, null])),
        ...readScheduleSettings(flags),
        ...(await readPageOptions(flags, cli)),
        ...(page && { url: withScheme(page) }),
      } as SchedulePatch;
      if (Object.keys(patch).length === 0) {
        throw new UsageError('No setting was given.', 'Name what changes, such as --cron, --name or -s.');
      }
      const output = cli.output(flags);
      const { schedules } = await cli.connect(flags);
      const schedule = await schedules.update(id, patch, { signal: cli.signal });
      await output.one(schedule, fieldsOfSchedule(schedule));
    });
}
