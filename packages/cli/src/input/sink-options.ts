import type { BodyOf } from '@gleaner/client';
import { type Command, Option } from 'commander';
import { UsageError } from '../exit-codes.ts';
import { parseCount } from './option-values.ts';
import { withoutUndefined } from './page-options.ts';

type Sink = NonNullable<BodyOf<'createJob'>['sink']>;

/** Options of the sink of a job or a schedule, as commander reads them. */
export interface SinkFlags {
  readonly sink?: string;
  readonly sinkFormat?: NonNullable<Sink['format']>;
  readonly sinkRows?: string;
  readonly sinkKey?: string;
  readonly sinkPartBytes?: number;
}

/** Adds the options of a sink. */
export function addSinkOptions(command: Command): Command {
  return command
    .option('--sink <name>', 'write the results to this bucket of the operator once the job has finished')
    .addOption(
      new Option('--sink-format <format>', 'format of the files; default parquet').choices([
        'parquet',
        'ndjson',
        'csv',
      ]),
    )
    .option('--sink-rows <field>', 'a row for each entry of this list, such as cards')
    .option('--sink-key <folder>', 'folder of the files; default {schedule}/{date}/{job}')
    .option('--sink-part-bytes <n>', 'size from which a file ends; default 134217728', parseCount);
}

/** Converts the sink for the API. */
export function readSink(flags: SinkFlags): Sink | undefined {
  const { sink: name, sinkFormat: format, sinkRows: rows, sinkKey: key, sinkPartBytes: partBytes } = flags;
  const options = withoutUndefined({ format, rows, key, partBytes });
  if (name !== undefined) return { name, ...options };
  if (Object.keys(options).length === 0) return undefined;
  throw new UsageError('--sink is missing.', 'Name the bucket: --sink <name>');
}
