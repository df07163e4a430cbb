import type { Static } from 'typebox';
import { ChangeSchema, COMPARISON_PROPERTIES } from '../jobs/changes.ts';
import { JobSchema } from '../jobs/job.ts';
import { Nullable, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** A run of a schedule: its job, and a comparison with the run before. */
export const RunSchema = Type.Object(
  {
    ...JobSchema.properties,
    changed: Nullable(Type.Boolean(), {
      description:
        'True when the run found a difference: a value or record that the runs before had differently, or a page that nothing leads to any more. Null when there is nothing to compare.',
    }),
  },
  { additionalProperties: false },
);
export type Run = Static<typeof RunSchema>;

/** The differences that a run of a schedule found. */
export const RunChangesSchema = Type.Object(
  {
    jobId: Type.String(),
    at: Timestamp({ description: 'Time at which the run started.' }),
    ...COMPARISON_PROPERTIES,
    changes: Type.Array(ChangeSchema, { description: 'The first changes, up to 100 and 128 KiB.' }),
    changesUrl: Type.Optional(Type.String({ description: 'Path of all changes, when there are more.' })),
  },
  { additionalProperties: false },
);
export type RunChanges = Static<typeof RunChangesSchema>;
