import type { Gleaner, Run } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError } from '../../exit-codes.ts';
import { addChangeOption, type ChangeFlags, printChanges } from '../job/changes.ts';

/** Runs that are looked through for one that has finished. */
const MAX_RUNS = 20;
const FINISHED: ReadonlySet<string> = new Set(['completed', 'partial', 'failed', 'cancelled']);

/** `gleaner schedule changes <id>`. */
export function defineChanges(command: Command, cli: Cli): void {
  addChangeOption(command.argument('<id>', 'id of the schedule')).action(
    async (id: string, flags: ChangeFlags) => {
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const { signal, terminal } = cli;
      const run = await findRun(gleaner, id, signal);
      if (!flags.quiet) terminal.warn(`${run.id}, finished ${run.completedAt}\n`);
      await printChanges(run.id, { gleaner, output, signal }, flags);
      const unlinked = run.crawl?.changes?.unlinked ?? 0;
      if (unlinked > 0 && !flags.quiet) {
        terminal.warn(`${unlinked} unlinked pages: gleaner job results ${run.id} --change unlinked\n`);
      }
    },
  );
}

/** Returns the last run that has finished. Throws when it is a crawl that was not compared. */
async function findRun({ schedules }: Gleaner, id: string, signal: AbortSignal): Promise<Run> {
  const { items } = await schedules.runs(id, { limit: MAX_RUNS }, { signal }).page();
  const run = items.find(({ status }) => FINISHED.has(status));
  if (!run)
    throw new CommandError('No run has finished yet.', {
      suggestion: `Start one: gleaner schedule run ${id}`,
    });
  if (!run.crawl || run.crawl.since) return run;
  throw new CommandError(`The last run, ${run.id}, was not compared with the run before.`, {
    suggestion: `Compare the next ones with: gleaner schedule edit ${id} --changes`,
  });
}
