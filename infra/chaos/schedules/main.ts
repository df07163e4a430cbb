/** `npm run chaos:schedules [-- --seed 1 --ticks 600]`: kills schedulers and notifiers while the receiver misbehaves, then checks the invariants. */
import { parseArgs } from 'node:util';
import { readCount } from '../read-chaos-command.ts';
import { renderScheduleReport } from './render-schedule-report.ts';
import { isClean, runScheduleChaos } from './run-schedule-chaos.ts';

const HELP = 'Usage: npm run chaos:schedules -- [--seed 1] [--ticks 600]';

function readCommand(args: string[]) {
  try {
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
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

const command = readCommand(process.argv.slice(2));
if (command === 'help') console.log(HELP);
else if ('fault' in command) {
  console.error(`${command.fault}\n\n${HELP}`);
  process.exitCode = 1;
} else {
  const report = await runScheduleChaos({ ...command, print: (line) => console.log(line) });
  console.log(renderScheduleReport(report));
  process.exitCode = isClean(report) ? 0 : 1;
}
