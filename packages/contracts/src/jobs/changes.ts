import type { Static } from 'typebox';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Numbers of records by how they differ from the run before; what a page has beside its lists counts as one record. */
export const ChangeCountsSchema = Type.Object(
  {
    added: count('Records that no earlier run had.'),
    removed: count('Records that are no longer there.'),
    changed: count('Records with other values.'),
  },
  { additionalProperties: false },
);
export type ChangeCounts = Static<typeof ChangeCountsSchema>;

/** A value or record that a run found differently than the run before. */
export const ChangeSchema = Type.Object(
  {
    url: Type.String({ description: 'The page that has it; of what was removed, the page that had it.' }),
    path: Type.String({
      description:
        'Dotted name of the field, with the record of a list in brackets by its key: `books[Emma].price`. Empty for everything that a page has.',
    }),
    kind: OneOf(['added', 'removed', 'changed']),
    before: Type.Optional(Type.Unknown({ description: 'Absent when it was added.' })),
    after: Type.Optional(Type.Unknown({ description: 'Absent when it was removed.' })),
    isCut: Type.Optional(
      Type.Literal(true, { description: 'A value is long: the part around the first difference is shown.' }),
    ),
  },
  { additionalProperties: false },
);
export type Change = Static<typeof ChangeSchema>;

/** The run that a run was compared with, and the result in numbers. */
export const COMPARISON_PROPERTIES = {
  comparedWith: Type.Union([Type.String(), Type.Null()], {
    description:
      'Id of the run before; null when there is nothing to compare: of the first run, while the job runs, and of jobs that are neither runs nor crawls with `since`.',
  }),
  matchedBy: MapOf(Type.String(), {
    description:
      'For each list of records, the field by which records were matched: the `key` of its selector, or one that was found.',
  }),
  counts: ChangeCountsSchema,
  omitted: count('Number of further changes, which are not kept because there are too many.'),
  notCompared: count(
    'Number of pages that are of another kind than before, such as a login instead of content. They say nothing, and the run before stays what they are compared with.',
  ),
};
