import type { BodyOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import { UsageError } from '../exit-codes.ts';
import { splitList } from './option-values.ts';
import { withoutUndefined } from './page-options.ts';

/** Options of the dataset of a job or a schedule, as commander reads them. */
export interface DatasetFlags {
  readonly dataset?: string;
  readonly datasetRows?: string;
  readonly datasetKey?: string[];
  readonly datasetGone?: 'never' | 'run';
}

type Dataset = NonNullable<BodyOf<'createJob'>['dataset']>;

/** Adds the options of a dataset. */
export function addDatasetOptions(command: Command): Command {
  return command
    .option('--dataset <name>', 'keep the records in this table, which later jobs add to and change')
    .option('--dataset-rows <list>', 'the list whose records are kept; default: each page is a record')
    .option(
      '--dataset-key <fields>',
      'fields that tell records apart, separated by commas; default without --dataset-rows: the URL',
      splitList,
    )
    .addOption(
      new Option(
        '--dataset-gone <when>',
        'run: records that a complete run did not find are gone; default never',
      ).choices(['never', 'run']),
    );
}

/** Converts the dataset for the API. */
export function readDataset({
  dataset,
  datasetRows,
  datasetKey,
  datasetGone,
}: DatasetFlags): Dataset | undefined {
  if (dataset !== undefined)
    return { name: dataset, ...withoutUndefined({ rows: datasetRows, key: datasetKey, gone: datasetGone }) };
  if (datasetRows === undefined && datasetKey === undefined && datasetGone === undefined) return undefined;
  throw new UsageError('--dataset is missing.', 'Name the table: --dataset <name>');
}
