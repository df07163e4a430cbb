/** `npm run chaos [-- --seed 1 --faults 100 --urls 10000]`: injects faults while jobs run, then checks the invariants. */
import { CHAOS_HELP, readChaosCommand } from './read-chaos-command.ts';
import { isClean, renderReport } from './render-report.ts';
import { runChaos } from './run-chaos.ts';
import { runCommand } from './run-command.ts';

await runCommand(readChaosCommand(process.argv.slice(2), process.env), {
  ...{ help: CHAOS_HELP, run: runChaos, render: renderReport, isClean },
});
