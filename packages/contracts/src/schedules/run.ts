import { type Static, Type } from 'typebox';
import { JobSchema } from '../jobs/job.ts';
import { Nullable } from '../map-of.ts';

/** A run of a schedule: its job, and a comparison with the run before. */
export const RunSchema = Type.Object(
  {
    ...JobSchema.properties,
    changed: Nullable(Type.Boolean(), {
      description:
        'True when the data differ from those of the last successful run before this one; null when there is nothing to compare.',
    }),
  },
  { additionalProperties: false },
);
export type Run = Static<typeof RunSchema>;
