/** `npm run chaos [-- crawls --seed 1 --faults 100 --urls 10000]`: injects faults under load, then checks the invariants. */
import { CHAOS_HELP, readCommand } from './read-command.ts';
import { listFindings, renderReport } from './report.ts';
import { runChaos } from './run-chaos.ts';

const command = readCommand(process.argv.slice(2), process.env);
if (command === 'help') console.log(CHAOS_HELP);
else if ('fault' in command) {
  console.error(`${command.fault}\n\n${CHAOS_HELP}`);
  process.exitCode = 1;
} else {
  const report = await runChaos({ ...command, print: (line) => console.log(line) });
  console.log(renderReport(report));
  process.exitCode = listFindings(report.findings).length === 0 ? 0 : 1;
}
