import type { Change } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions, Opened } from '../../cli.ts';
import { CommandError } from '../../exit-codes.ts';
import type { Column } from '../../output/render-table.ts';

const KINDS = ['added', 'removed', 'changed'] as const;
type Kind = (typeof KINDS)[number];

/** Options of the commands that list changes. */
export interface ChangeFlags extends GlobalOptions {
  readonly change?: Kind;
}

const COLUMNS: readonly Column<Change>[] = [
  { name: 'change', isWhole: true, value: ({ kind }) => kind },
  { name: 'field', value: ({ path }) => path || '(page)' },
  { name: 'before', value: ({ before }) => textOf(before) },
  { name: 'after', value: ({ after }) => textOf(after) },
  { name: 'url', isMinor: true, value: ({ url }) => url },
];

/** Adds the option that selects changes. */
export function addChangeOption(command: Command): Command {
  return command.addOption(new Option('--change <change>', 'only what is so').choices(KINDS));
}

/** `gleaner job changes <id>`. */
export function defineChanges(command: Command, cli: Cli): void {
  addChangeOption(command.argument('<id>', 'id of a run of a schedule, or of a crawl with --since')).action(
    async (id: string, flags: ChangeFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { comparedWith, notCompared } = await gleaner.call('getJobChanges', { path: { id } }, call);
      if (comparedWith === null) {
        throw new CommandError(`${id} is not compared with another job.`, {
          suggestion:
            'Runs of a schedule are, from the second one on, and crawls with --since <job>, once they have finished.',
        });
      }
      await printChanges(id, { gleaner, output, call }, flags);
      if (notCompared > 0 && !flags.quiet) cli.terminal.warn(describeOthers(id, notCompared));
    },
  );
}

/** Says that pages were left out of a comparison. */
export function describeOthers(id: string, count: number): string {
  const shown = count.toLocaleString('en-US');
  const are =
    count === 1 ? `${shown} page is not compared: it is` : `${shown} pages are not compared: they are`;
  return `${are} of another kind than before. See: gleaner job show ${id}\n`;
}

/** Prints each value that a run found differently than the run before. */
export async function printChanges(
  id: string,
  { gleaner, output, call }: Opened,
  { change }: ChangeFlags,
): Promise<void> {
  async function* select(): AsyncGenerator<Change> {
    for await (const each of gleaner.jobs.changes(id, {}, call)) {
      if (change === undefined || each.kind === change) yield each;
    }
  }
  await output.list(select(), COLUMNS, change ? `Nothing was ${change}.` : 'Nothing has changed.');
}

function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}
