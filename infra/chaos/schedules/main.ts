/** `npm run chaos:schedules [-- --seed 1 --ticks 600]`: kills schedulers and notifiers while the receiver misbehaves, then checks the invariants. */
import { parseArgs } from 'node:util';
import { readCommand, readCount, runCommand } from '../run-command.ts';
import { renderScheduleReport } from './render-schedule-report.ts';
import { isClean, runScheduleChaos } from './run-schedule-chaos.ts';

const HELP = 'Usage: npm run chaos:schedules -- [--seed 1] [--ticks 600]';

function read(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      ticks: { type: 'string', default: '600' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  return { seed: readCount('seed', values.seed, 0), ticks: readCount('ticks', values.ticks, 1) };
}

await runCommand(
  readCommand(() => read(process.argv.slice(2))),
  { help: HELP, run: runScheduleChaos, render: renderScheduleReport, isClean },
);
