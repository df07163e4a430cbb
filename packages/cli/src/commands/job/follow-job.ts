import { type Gleaner, GleanerError, type Job } from '@gleaner/client';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { EXIT_CODES, type Exit } from '../../exit-codes.ts';
import type { Output } from '../../output/output.ts';
import { ProgressLine } from '../../output/progress.ts';
import { fieldsOfJob } from './columns.ts';

/** Exit of a command whose job has finished in this state. */
const EXITS: Readonly<Record<Job['status'], Exit>> = {
  ...{ pending: 'ok', running: 'ok', completed: 'ok' },
  partial: 'partial',
  failed: 'failed',
  cancelled: 'failed',
};

/** Collaborators of a watch. */
export interface Follow {
  readonly cli: Cli;
  readonly gleaner: Gleaner;
  readonly output: Output;
  readonly flags: GlobalOptions;
}

/** Follows a job until it has finished, and shows it: a line on a terminal, each state on a pipe. */
export async function followJob(id: string, follow: Follow): Promise<void> {
  const { output } = follow;
  const isStream = output.format === 'ndjson';
  const last = await waitForJob(id, follow, async (job) => {
    if (isStream) await output.json(job);
  });
  if (!last || isStream) return;
  await output.one(last, fieldsOfJob(last));
  const failed = last.failedUrls > 0 ? `\nFailed:  gleaner job results ${id} --failed` : '';
  await output.note(`\nResults: gleaner job results ${id}${failed}`);
}

/** Waits until a job has finished, with a line of progress, and sets the exit code. Ctrl-C leaves the job running. */
export async function waitForJob(
  id: string,
  { cli, gleaner, flags }: Omit<Follow, 'output'>,
  onState: (job: Job) => Promise<void> = async () => {},
): Promise<Job | undefined> {
  cli.comeBack = [
    `The job goes on. Come back with: gleaner job watch ${id}`,
    `                      Stop it with: gleaner job cancel ${id}`,
  ].join('\n');
  const line = new ProgressLine(cli.terminal, flags.quiet);
  let last: Job | undefined;
  try {
    const onAway = () => line.showAway();
    for await (const job of gleaner.jobs.watch(id, { signal: cli.signal, onAway })) {
      last = job;
      line.show(job);
      await onState(job);
    }
  } catch (error) {
    if (error instanceof GleanerError && error.status === 404) cli.comeBack = undefined;
    throw error;
  } finally {
    line.clear();
  }
  cli.comeBack = undefined;
  if (last) cli.exit = EXIT_CODES[EXITS[last.status]].code;
  return last;
}
