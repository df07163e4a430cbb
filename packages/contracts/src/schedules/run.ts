import { type Static, Type } from 'typebox';
import { JobSchema } from '../jobs/job.ts';
import { Nullable } from '../map-of.ts';

/** A run of a schedule: its job, and a comparison with the run before. */
export const RunSchema = Type.Object(
  {
    ...JobSchema.properties,
    changed: Nullable(Type.Boolean(), {
      description:
        'True when the data of a page differ from those that the last run in which this page succeeded found, of the ten before this one; null when there is nothing to compare. Of a crawl with `changes`, true when it found any; null for other crawls.',
    }),
  },
  { additionalProperties: false },
);
export type Run = Static<typeof RunSchema>;
