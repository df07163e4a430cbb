import type { Gleaner, JobResult, Run } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { CommandError } from '../../exit-codes.ts';
import type { Column } from '../../output/render-table.ts';

const KINDS = ['new', 'changed', 'gone', 'unlinked'] as const;
type Kind = (typeof KINDS)[number];

interface Flags extends GlobalOptions {
  readonly change?: Kind;
}

/** A page that differs, and how. */
type Difference = JobResult & { readonly kind: Kind };

const COLUMNS: readonly Column<Difference>[] = [
  { name: 'change', value: ({ kind }) => kind },
  { name: 'url', value: ({ url }) => url },
  { name: 'data', value: ({ data }) => data && JSON.stringify(data) },
];

/** A value that the run found differently. */
interface ValueChange {
  readonly url: string;
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const VALUE_COLUMNS: readonly Column<ValueChange>[] = [
  { name: 'field', value: ({ path }) => path },
  { name: 'before', value: ({ before }) => textOf(before) },
  { name: 'after', value: ({ after }) => textOf(after) },
  { name: 'url', value: ({ url }) => url },
];

/** Runs that are looked through for one that has finished. */
const MAX_RUNS = 20;
const FINISHED: ReadonlySet<string> = new Set(['completed', 'partial', 'failed', 'cancelled']);

/** `gleaner schedule changes <id>`. */
export function defineChanges(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the schedule')
    .addOption(new Option('--change <change>', 'only pages that are so').choices(KINDS))
    .action(async (id: string, { change, ...flags }: Flags) => {
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const { signal } = cli;
      const { run, offset } = await findRun(gleaner, id, signal);
      if (!flags.quiet) cli.terminal.warn(`${run.id}, finished ${run.completedAt}\n`);
      if (!run.crawl) {
        const changes = valuesOf(id, { run, offset }, { gleaner, signal });
        return await output.list(changes, VALUE_COLUMNS, 'Nothing has changed.');
      }
      await output.list(
        differencesOf(run.id, change ? [change] : KINDS, { gleaner, signal }),
        COLUMNS,
        'Nothing has changed.',
      );
    });
}

/** Returns the last run that has finished, and its place among all. Throws when it is a crawl that was not compared. */
async function findRun({ schedules }: Gleaner, id: string, signal: AbortSignal): Promise<LastRun> {
  const { items } = await schedules.runs(id, { limit: MAX_RUNS }, { signal }).page();
  const run = items.find(({ status }) => FINISHED.has(status));
  if (!run)
    throw new CommandError('No run has finished yet.', {
      suggestion: `Start one: gleaner schedule run ${id}`,
    });
  if (!run.crawl || run.crawl.changes) return { run, offset: items.indexOf(run) };
  throw new CommandError(`The last run, ${run.id}, was not compared page by page.`, {
    suggestion: `Compare the next ones with: gleaner schedule edit ${id} --changes`,
  });
}

interface LastRun {
  readonly run: Run;
  /** Number of newer runs. */
  readonly offset: number;
}

/** Yields each value that a run found differently than the runs before. */
async function* valuesOf(
  id: string,
  { run, offset }: LastRun,
  { gleaner, signal }: { readonly gleaner: Gleaner; readonly signal: AbortSignal },
): AsyncGenerator<ValueChange> {
  // Another run may have started since.
  const { items } = await gleaner.schedules.changes(id, { limit: 2, offset }, { signal }).page();
  for (const { url, changes } of items.find(({ jobId }) => jobId === run.id)?.pages ?? []) {
    for (const change of changes) yield { url, ...change };
  }
}

function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/** Yields each page that differs once, with its first kind. */
async function* differencesOf(
  job: string,
  kinds: readonly Kind[],
  { gleaner, signal }: { readonly gleaner: Gleaner; readonly signal: AbortSignal },
): AsyncGenerator<Difference> {
  for (const kind of kinds) {
    for await (const result of gleaner.jobs.results<JobResult>(job, { change: kind, signal })) {
      const isShownBefore = kind === 'unlinked' && kinds.length > 1 && result.change === 'changed';
      if (!isShownBefore) yield { ...result, kind };
    }
  }
}
