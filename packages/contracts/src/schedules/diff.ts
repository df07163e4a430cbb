import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Nullable, OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** Query of the difference of two runs. */
export const DiffQuerySchema = Type.Object(
  {
    from: Type.Optional(
      Type.String({ maxLength: 64, description: 'Id of the run before. Default the last one before `to`.' }),
    ),
    to: Type.Optional(
      Type.String({ maxLength: 64, description: 'Id of the run after. Default the last one with pages.' }),
    ),
    url: Type.Optional(
      Type.String({ maxLength: LIMITS.maxUrlLength, description: 'Only the page with this URL.' }),
    ),
    format: Type.Optional(
      OneOf(['json', 'text'], {
        description: 'As JSON, or the texts of all pages as one patch. Default json.',
      }),
    ),
  },
  { additionalProperties: false },
);

const run = (description: string) =>
  Type.Object(
    { jobId: Type.String({ description }), at: Nullable(Timestamp({ description: 'Time of its end.' })) },
    { additionalProperties: false },
  );
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A page whose Markdown differs between two runs. */
export const PageDiffSchema = Type.Object(
  {
    url: Type.String(),
    added: count('Lines that only the run after has.'),
    removed: count('Lines that only the run before has.'),
    text: Nullable(Type.String(), {
      description: 'Unified text of the difference; null where the page is too large, or too different.',
    }),
    isCut: Type.Optional(
      Type.Literal(true, { description: 'Long lines are cut, or later parts of the difference left out.' }),
    ),
  },
  { additionalProperties: false },
);
export type PageDiff = Static<typeof PageDiffSchema>;

/** Difference of the Markdown of two runs. */
export const ScheduleDiffSchema = Type.Object(
  {
    from: run('The run before.'),
    to: run('The run after.'),
    pages: Type.Array(PageDiffSchema, {
      description: 'The pages that differ, in the order of the run after.',
    }),
    unchanged: count('Number of pages with equal Markdown.'),
    notCompared: count('Number of pages that have Markdown in only one of the runs, or in none.'),
    omitted: count(
      'Number of further pages, which were not compared because there are too many, or they take too long: name one by `url`.',
    ),
  },
  { additionalProperties: false },
);
export type ScheduleDiff = Static<typeof ScheduleDiffSchema>;
