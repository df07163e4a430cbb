/** `npm run chaos:schedules [-- --seed 1 --ticks 600]`: schedulers and notifiers die, the receiver misbehaves; then the check. */
import { parseArgs } from 'node:util';
import { renderScheduleReport } from './render-schedule-report.ts';
import { isClean, runScheduleChaos } from './run-schedule-chaos.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, ticks: { type: 'string', default: '600' } },
});
const [seed, ticks] = [Number(values.seed), Number(values.ticks)];
if (![seed, ticks].every((value) => Number.isSafeInteger(value) && value >= 0) || ticks === 0) {
  console.error('Give whole numbers: --seed 1 --ticks 600');
  process.exit(1);
}
const report = await runScheduleChaos({ seed, ticks, say: (line) => console.log(line) });
console.log(renderScheduleReport(report));
process.exitCode = isClean(report) ? 0 : 1;
