import type { Trace } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import type { Column } from '../output/render-table.ts';

/** `gleaner trace <id> [index]`. */
export function defineTrace(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'requestId of a scrape of the last 24 hours, or id of a job')
    .argument('[index]', 'with a job: position of the URL in it, from 0')
    .action(async (id: string, index: string | undefined, flags: GlobalOptions) => {
      const { output, gleaner, call } = await cli.open(flags);
      const options = call;
      const at = indexOf(id, index);
      const trace =
        at === undefined ? await gleaner.trace(id, options) : await gleaner.jobs.trace(id, at, options);
      await showTrace(trace, output);
    });
}

/** Returns the position that a job needs, and nothing for a scrape. Throws a UsageError. */
function indexOf(id: string, index: string | undefined): number | undefined {
  const isJob = id.startsWith('job_');
  if (!isJob && index === undefined) return undefined;
  if (isJob && index !== undefined && /^\d+$/.test(index)) return Number(index);
  if (isJob) {
    throw new UsageError(
      `trace ${id} needs the position of a URL.`,
      `gleaner trace ${id} 0 shows its first URL; gleaner job urls ${id} lists them.`,
    );
  }
  throw new UsageError(`${id} is not the id of a job.`, 'Only pages of jobs have a position.');
}

const ATTEMPTS: readonly Column<Trace['attempts'][number]>[] = [
  { name: 'round', value: ({ round }) => round },
  { name: 'engine', value: ({ engine, rung }) => (rung === undefined ? engine : `${engine} (${rung})`) },
  { name: 'proxy', value: ({ proxy }) => proxy },
  { name: 'status', value: ({ statusCode }) => statusCode },
  { name: 'outcome', value: ({ outcome }) => outcome },
  { name: 'ms', value: ({ durationMs }) => durationMs },
  { name: 'stages', value: ({ stages = {} }) => stagesOf(stages) },
];

const STEPS: readonly Column<NonNullable<Trace['attempts'][number]['actions']>[number]>[] = [
  { name: 'step', value: ({ step, rounds }) => (rounds === undefined ? step : `${step} (${rounds} times)`) },
  { name: 'outcome', value: ({ outcome }) => outcome },
  { name: 'ms', value: ({ durationMs }) => durationMs },
  { name: 'url', value: ({ url }) => url },
];

/** Writes a trace: its facts, a row for each attempt and each step of the last one, and the command that repeats it. */
async function showTrace(trace: Trace, output: Output): Promise<void> {
  if (output.format === 'csv') return await output.list(trace.attempts, ATTEMPTS, '');
  const { url, state, message, durationMs } = trace;
  await output.one(trace, [
    ['url', url],
    ['state', state],
    ...(message === undefined ? [] : [['message', message] as const]),
    ...(durationMs === undefined ? [] : [['duration', `${durationMs} ms`] as const]),
  ]);
  if (output.format !== 'table') return;
  await output.note('');
  await output.list(trace.attempts, ATTEMPTS, 'No attempts.');
  const steps = trace.attempts.at(-1)?.actions ?? [];
  if (steps.length > 0) {
    await output.note('');
    await output.list(steps, STEPS, '');
  }
  await output.note(`\n${trace.curl}`);
}

function stagesOf(stages: NonNullable<Trace['attempts'][number]['stages']>): string {
  return Object.entries(stages)
    .map(([name, ms]) => `${name} ${ms}`)
    .join(' · ');
}
