import { type Static, Type } from 'typebox';
import { JobSchema } from '../jobs/job.ts';
import { Nullable } from '../schema/map-of.ts';

/** A run of a schedule: its job, and whether it found something new. */
export const RunSchema = Type.Object(
  {
    ...JobSchema.properties,
    changed: Nullable(Type.Boolean(), {
      description:
        'Whether the data differ from those of the last successful run before; null where there is nothing to compare.',
    }),
  },
  { additionalProperties: false },
);
export type Run = Static<typeof RunSchema>;
