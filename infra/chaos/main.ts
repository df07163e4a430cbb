/** `npm run chaos [-- --seed 1 --faults 100 --urls 10000]`: injects faults while jobs run, then checks the invariants. */
import { CHAOS_HELP, readChaosCommand } from './read-chaos-command.ts';
import { isClean, renderReport } from './render-report.ts';
import { runChaos } from './run-chaos.ts';

const command = readChaosCommand(process.argv.slice(2), process.env);
if (command === 'help') console.log(CHAOS_HELP);
else if ('fault' in command) {
  console.error(`${command.fault}\n\n${CHAOS_HELP}`);
  process.exitCode = 1;
} else {
  const report = await runChaos({ ...command, print: (line) => console.log(line) });
  console.log(renderReport(report));
  process.exitCode = isClean(report) ? 0 : 1;
}
