import type { Dataset, DatasetRecord, Gleaner } from '@gleaner/client';
import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { parseCount } from '../input/option-values.ts';
import { withoutUndefined } from '../input/page-options.ts';
import { RESULT_FORMATS } from '../output/output.ts';
import type { Column } from '../output/render-table.ts';
import { forOne } from './for-one.ts';

const COLUMNS: readonly Column<Dataset>[] = [
  { name: 'name', isWhole: true, value: ({ name }) => name },
  { name: 'records', value: ({ records }) => records },
  { name: 'gone', value: ({ gone }) => gone },
  { name: 'revision', value: ({ revision }) => revision },
  { name: 'key', value: keyOf },
  { name: 'changed', isWhole: true, isMinor: true, value: ({ changedAt }) => changedAt },
];

function keyOf({ key }: Dataset): string {
  return key.length === 0 ? 'URL of the page' : key.join(', ');
}

/** `gleaner dataset list`. */
export function defineList(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    const none = 'There are no datasets. A job keeps its records in one with --dataset <name>.';
    await output.list(await gleaner.datasets.list(call), COLUMNS, none);
  });
}

interface ShowFlags extends GlobalOptions {
  readonly record?: string;
}

const STATES: readonly Column<Awaited<ReturnType<Gleaner['datasets']['history']>>[number]>[] = [
  { name: 'revision', value: ({ revision }) => revision },
  { name: 'op', value: ({ op }) => op },
  { name: 'changed', isWhole: true, value: ({ changedAt }) => changedAt },
  { name: 'job', isMinor: true, value: ({ jobId }) => jobId },
  { name: 'record', value: ({ record }) => JSON.stringify(record) },
];

/** `gleaner dataset show <name>`. */
export function defineShow(command: Command, cli: Cli): void {
  command
    .argument('<name>', 'name of the dataset')
    .option('--record <key>', 'the states of the record with this key, newest first')
    .action(async (name: string, { record, ...flags }: ShowFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      if (record !== undefined)
        return await output.list(await gleaner.datasets.history(name, record, call), STATES, '');
      const dataset = await gleaner.datasets.get(name, call);
      await output.one(dataset, [
        ['name', dataset.name],
        ['key', keyOf(dataset)],
        ['records', dataset.records],
        ['gone', dataset.gone],
        ['revision', dataset.revision],
        ['columns', dataset.columns.join(', ')],
        ['created', dataset.createdAt],
        ['changed', dataset.changedAt],
      ]);
      await output.note(`\nIts records: gleaner dataset pull ${name} -o ${name}.csv`);
    });
}

interface PullFlags extends GlobalOptions {
  readonly since?: number;
  readonly op?: DatasetRecord['op'];
}

const RECORDS: readonly Column<DatasetRecord>[] = [
  { name: 'revision', value: ({ revision }) => revision },
  { name: 'op', value: ({ op }) => op },
  { name: 'key', value: ({ key }) => key },
  { name: 'record', value: ({ record }) => JSON.stringify(record) },
];

/** `gleaner dataset pull <name>`: the whole table or, with `--since`, what has changed. */
export function definePull(command: Command, cli: Cli): void {
  command
    .argument('<name>', 'name of the dataset')
    .option(
      '--since <revision>',
      'only what changed after this revision, also records that are gone',
      parseCount,
    )
    .addOption(
      new Option('--op <op>', 'only records that are there, or are gone').choices(['upsert', 'gone']),
    )
    .action(async (name: string, { since, op, ...flags }: PullFlags) => {
      const output = cli.output(flags, RESULT_FORMATS);
      const gleaner = await cli.connect(flags);
      const call = { signal: cli.signal };
      const { format } = output;
      const query = withoutUndefined({ since, op });
      // The end is read first: records that change while the others are read come again with the next pull.
      const { revision } = await gleaner.datasets.get(name, call);
      if (format === 'csv' || format === 'ndjson' || format === 'parquet') {
        const file = gleaner.datasets.download(name, { ...query, format }, call);
        for await (const chunk of file) await output.sink.write(chunk);
      } else {
        const shown = since === undefined ? { op: 'upsert' as const, ...query } : query;
        await output.list(gleaner.datasets.records(name, shown, call), RECORDS, 'Nothing has changed.');
      }
      if (!flags.quiet)
        cli.terminal.warn(
          `Go on later: gleaner dataset pull ${name} --since ${Math.max(revision, since ?? 0)}\n`,
        );
    });
}

/** `gleaner dataset delete <name>`. */
export const defineDelete = forOne(
  '<name>',
  'name of the dataset',
  async (name, { output, gleaner, call }) => {
    await gleaner.datasets.delete(name, call);
    await output.note(`${name} is deleted.`);
  },
);
