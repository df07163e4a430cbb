import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Formats of the parts in a sink. */
export const SINK_FORMATS = ['parquet', 'ndjson', 'csv'] as const;
export type SinkFormat = (typeof SINK_FORMATS)[number];

const DEFAULT_KEY = '{schedule}/{date}/{job}';
/** Size from which a part ends. */
export const DEFAULT_PART_BYTES = 128 * 1024 * 1024;

/** Option of jobs, crawls and schedules: the place outside that the results are written to. */
export const SinkOptionsSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'One of the sinks that the operator has configured (`SINKS`).',
      examples: ['lake'],
    }),
    format: Type.Optional(OneOf(SINK_FORMATS, { description: 'Format of the files. Default parquet.' })),
    rows: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'For parquet and csv: a field with several values, by its dotted path. Each of its entries becomes a row. Without it, each page is a row, and lists are JSON.',
        examples: ['books'],
      }),
    ),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.maxSinkKeyLength,
        description: `Folder of the files. \`{job}\`, which it needs, is the id of the job, \`{schedule}\` that of its schedule or \`jobs\`, and \`{date}\` the day in UTC on which the job was created. Default ${DEFAULT_KEY}.`,
        examples: ['books/date={date}/{job}'],
      }),
    ),
    partBytes: Type.Optional(
      Type.Integer({
        minimum: LIMITS.minSinkPartBytes,
        maximum: LIMITS.maxSinkPartBytes,
        description: 'Size from which a file ends and the next one begins. Default 134217728 (128 MiB).',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Writes the results into files of an object store once the job is completed or partial: `part-00000.parquet` and so on, and last `_manifest.json`. The log of deliveries has the attempts.',
    examples: [{ name: 'lake', format: 'parquet' }],
    'x-expected': 'an object {name, format, rows, key, partBytes}',
  },
);
export type SinkOptions = Static<typeof SinkOptionsSchema>;

/** A sink that an account may write to. */
export const SinkSchema = Type.Object(
  { name: Type.String({ description: 'For `sink.name` of jobs, crawls and schedules.' }) },
  { additionalProperties: false },
);

/** Names that stand for values in a key. */
export const SINK_KEY_NAMES = ['schedule', 'date', 'job'] as const;

/** Returns the folder that a job is written to. */
export function sinkKeyOf(
  { key = DEFAULT_KEY }: Pick<SinkOptions, 'key'>,
  job: { readonly id: string; readonly scheduleId?: string | undefined; readonly createdAt: Date },
): string {
  const values: Readonly<Record<(typeof SINK_KEY_NAMES)[number], string>> = {
    job: job.id,
    schedule: job.scheduleId ?? 'jobs',
    date: job.createdAt.toISOString().slice(0, 10),
  };
  return key.replace(/\{([a-z]+)\}/g, (whole, name: string) => values[name as keyof typeof values] ?? whole);
}
