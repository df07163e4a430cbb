import { type Static, Type } from 'typebox';
import { OneOf, Timestamp } from '../map-of.ts';

/** A value that two runs found differently. */
const ValueChangeSchema = Type.Object(
  {
    path: Type.String({
      description:
        'Dotted name of the field, with the record of a list in brackets, by a text of it or its place: `books[Emma].price`.',
    }),
    kind: OneOf(['added', 'removed', 'changed']),
    before: Type.Optional(Type.Unknown({ description: 'Absent when it was added.' })),
    after: Type.Optional(Type.Unknown({ description: 'Absent when it was removed.' })),
  },
  { additionalProperties: false },
);
export type ValueChange = Static<typeof ValueChangeSchema>;

const ChangedPageSchema = Type.Object(
  {
    url: Type.String(),
    changes: Type.Array(ValueChangeSchema),
    omittedFields: Type.Optional(
      Type.Array(Type.String(), { description: 'Changed fields whose values are too large to be shown.' }),
    ),
  },
  { additionalProperties: false },
);

/** The values that a run of a schedule found differently than earlier runs. */
export const RunChangesSchema = Type.Object(
  {
    jobId: Type.String(),
    at: Timestamp({ description: 'Time at which the run started.' }),
    pages: Type.Array(ChangedPageSchema, { description: 'Pages that changed; none when nothing did.' }),
    omittedPages: Type.Optional(Type.Integer({ description: 'Number of changed pages that are not shown.' })),
  },
  { additionalProperties: false },
);
export type RunChanges = Static<typeof RunChangesSchema>;
