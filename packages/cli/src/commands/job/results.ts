import type { Gleaner, JobResult, PageKind } from '@gleaner/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli, GlobalOptions, Opened } from '../../cli.ts';
import { UsageError } from '../../exit-codes.ts';
import { CHANGES, PAGE_KINDS } from '../../generated/words.ts';
import { splitList } from '../../input/option-values.ts';
import { type Format, RESULT_FORMATS } from '../../output/output.ts';
import type { Column } from '../../output/render-table.ts';
import { folderOf, savePages } from '../../output/save-pages.ts';

interface Flags extends GlobalOptions {
  readonly failed?: boolean;
  readonly rows?: string;
  readonly columns?: string;
  readonly allPages?: boolean;
  readonly change?: (typeof CHANGES)[number];
  readonly verdict?: PageKind[];
}

/** Results that a table shows; all of them go into a file or a pipe. */
const TABLE_ROWS = 100;

/** `gleaner job results <id>`. */
export function defineResults(command: Command, cli: Cli): void {
  addVerdictOption(command.argument('<id>', 'id of the job'))
    .option('--failed', 'only the URLs that failed')
    .addOption(
      new Option('--change <change>', 'only pages of a crawl with --since that are so').choices(CHANGES),
    )
    .option('--rows <field>', 'for CSV and Parquet: a row for each entry of this list, such as cards')
    .option(
      '--columns <names>',
      'for CSV and Parquet: the columns in their order, such as title,price.amount,url',
    )
    .option('--all-pages', 'for CSV and Parquet: a row also for pages without a record, with their errors')
    .action(async (id: string, flags: Flags) => {
      const folder = folderOf(flags);
      if (folder !== undefined)
        return await savePagesOf(id, folder, { cli, gleaner: await cli.connect(flags), flags });
      const output = cli.output(flags, RESULT_FORMATS);
      checkFlags(flags, output.format);
      await printResults(
        id,
        { gleaner: await cli.connect(flags), output, call: { signal: cli.signal } },
        flags,
      );
    });
}

/** Adds the option that selects results by the kind of their pages. */
export function addVerdictOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--verdict <kinds>',
      `only pages of these kinds, separated by commas: ${PAGE_KINDS.join(', ')}`,
    )
      .argParser(readKinds)
      .conflicts('failed'),
  );
}

function readKinds(value: string): string[] {
  const kinds = splitList(value);
  const isKnown = kinds.length > 0 && kinds.every((kind) => PAGE_KINDS.some((each) => each === kind));
  if (isKnown) return kinds;
  throw new InvalidArgumentError(`Allowed choices are ${PAGE_KINDS.join(', ')}.`);
}

/** Writes the results of a job into a folder, and says how many there are. */
export async function savePagesOf(
  id: string,
  folder: string,
  {
    cli: { signal, terminal },
    gleaner,
    flags: { quiet, change, verdict },
  }: {
    readonly cli: Cli;
    readonly gleaner: Gleaner;
    readonly flags: Pick<Flags, 'quiet' | 'change' | 'verdict'>;
  },
): Promise<void> {
  const results = gleaner.jobs.results<JobResult>(id, { signal, change, verdict });
  const { saved, failed } = await savePages(results, {
    folder,
    download: (fileId) => gleaner.files.download(fileId, { signal }),
  });
  if (quiet) return;
  terminal.warn(`${saved.toLocaleString('en-US')} pages are in ${folder}.\n`);
  if (failed > 0) terminal.warn(`${failed} have no result: gleaner job results ${id} --failed\n`);
}

/** Throws for options that do not fit the form of the output. */
export function checkFlags(
  { failed, rows, columns, allPages }: Pick<Flags, 'failed' | 'rows' | 'columns' | 'allPages'>,
  format: Format,
): void {
  const [given] = Object.entries({ rows, columns, 'all-pages': allPages }).filter(([, value]) => value);
  const isTable = format === 'csv' || format === 'parquet';
  if (given && !isTable)
    throw new UsageError(`--${given[0]} is for CSV and Parquet.`, 'Add --format csv or --format parquet.');
  if (failed && isTable) {
    const name = format === 'csv' ? 'CSV' : 'Parquet';
    throw new UsageError(
      `--failed has no ${name}.`,
      `Leave out --format ${format}, or --failed: with --all-pages, the ${name} has a column error.`,
    );
  }
}

/** Prints the results of a job: for programs as the service streams them, for people a table of the first ones. */
export async function printResults(
  id: string,
  { gleaner, output, call }: Opened,
  { failed, rows, change, verdict, columns, allPages }: Omit<Flags, keyof GlobalOptions> = {},
): Promise<void> {
  const { format } = output;
  if (!failed && format !== 'table') {
    const pages = allPages ? ('all' as const) : undefined;
    const query = { format, rows, change, verdict, columns, pages };
    for await (const chunk of gleaner.jobs.download(id, query, call)) await output.sink.write(chunk);
    return;
  }
  const results = select(
    gleaner.jobs.results<JobResult>(id, { ...call, change, verdict }),
    failed === true,
    format === 'table',
  );
  const kinds = [change, verdict?.join(' or ')].filter(Boolean);
  const none = kinds.length > 0 ? `No page is ${kinds.join(' and ')}.` : 'There are no results yet.';
  await output.list(results, await columnsOf(results), failed ? 'No URL has failed.' : none);
}

/** Yields the wanted results; a table ends early. */
function select(results: AsyncGenerator<JobResult>, onlyFailed: boolean, isTable: boolean): PeekableResults {
  return new PeekableResults(async function* () {
    let shown = 0;
    for await (const result of results) {
      if (onlyFailed && !result.error) continue;
      yield result;
      shown += 1;
      if (isTable && shown === TABLE_ROWS) return;
    }
  });
}

/** Results whose first ones were looked at before, for their columns. */
class PeekableResults implements AsyncIterable<JobResult> {
  readonly #results: AsyncGenerator<JobResult>;
  #first: JobResult[] = [];

  constructor(start: () => AsyncGenerator<JobResult>) {
    this.#results = start();
  }

  async peek(count: number): Promise<readonly JobResult[]> {
    while (this.#first.length < count) {
      const { done, value } = await this.#results.next();
      if (done) break;
      this.#first.push(value);
    }
    return this.#first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JobResult> {
    yield* this.#first;
    yield* this.#results;
  }
}

async function columnsOf(results: PeekableResults): Promise<Column<JobResult>[]> {
  const first = await results.peek(20);
  const fields = [...new Set(first.flatMap((result) => Object.keys(result.data ?? {})))];
  return [
    { name: 'url', value: ({ url }) => url },
    ...fields.map((name) => ({ name, value: (result: JobResult) => result.data?.[name] })),
    ...(first.some(({ error }) => error)
      ? [{ name: 'error', value: ({ error }: JobResult) => error && `${error.code}: ${error.message}` }]
      : []),
  ];
}
