import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { fieldsOfSchedule } from './columns.ts';

/** `gleaner schedule show <id>`. */
export function defineShow(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the schedule').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const { schedules } = await cli.connect(flags);
    const schedule = await schedules.get(id, { signal: cli.signal });
    await output.one(schedule, fieldsOfSchedule(schedule));
  });
}

/** `gleaner schedule delete <id>`. */
export function defineDelete(command: Command, cli: Cli): void {
  command.argument('<id>', 'id of the schedule').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const { schedules } = await cli.connect(flags);
    await schedules.delete(id, { signal: cli.signal });
    await output.note(`${id} is deleted; its jobs stay.`);
  });
}

/** `gleaner schedule pause <id>`. */
export function definePause(command: Command, cli: Cli): void {
  define(command, cli, 'pause');
}

/** `gleaner schedule resume <id>`. */
export function defineResume(command: Command, cli: Cli): void {
  define(command, cli, 'resume');
}

function define(command: Command, cli: Cli, change: 'pause' | 'resume'): void {
  command.argument('<id>', 'id of the schedule').action(async (id: string, flags: GlobalOptions) => {
    const output = cli.output(flags);
    const { schedules } = await cli.connect(flags);
    const schedule = await schedules[change](id, { signal: cli.signal });
    await output.one(schedule, fieldsOfSchedule(schedule));
  });
}
