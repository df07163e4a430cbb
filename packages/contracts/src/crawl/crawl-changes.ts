import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Differences between a page and the same page in the crawl before. */
export const PAGE_CHANGES = ['new', 'changed', 'unchanged', 'gone'] as const;
export type PageChange = (typeof PAGE_CHANGES)[number];

/** Differences that results can be filtered by. */
export const CHANGE_FILTERS = [...PAGE_CHANGES, 'unlinked'] as const;
export type ChangeFilter = (typeof CHANGE_FILTERS)[number];

/** Number of pages by how they differ from the crawl before. */
export const CrawlChangesSchema = Type.Object(
  {
    new: count('Pages that the crawl before did not have.'),
    changed: count('Pages with other content.'),
    unchanged: count('Pages with the same content.'),
    gone: count('Pages that answer 404 or 410 now.'),
    unlinked: count(
      'Of the changed and unchanged ones, pages that still answer, but that no link or sitemap leads to any more.',
    ),
  },
  { additionalProperties: false },
);
export type CrawlChanges = Static<typeof CrawlChangesSchema>;

/** Options of a crawl that is compared with an earlier one. */
export const COMPARISON_OPTIONS = {
  since: Type.Optional(
    Type.String({
      pattern: '^job_[0-9a-z]+$',
      maxLength: 64,
      description:
        'Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs.',
      examples: ['job_01jd8x0000000000000000000'],
      'x-expected': 'the id of a job such as "job_01jd8x0000000000000000000"',
    }),
  ),
  changes: Type.Optional(
    Type.Boolean({
      description:
        'Compares each run with the run before, as `since` does. Only in schedules. Default false.',
    }),
  ),
};

/** Fields of a result that only crawls with `since` or `changes` have. */
export const COMPARED_PROPERTIES = {
  change: Type.Optional(
    OneOf(PAGE_CHANGES, {
      description:
        'Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`).',
    }),
  ),
  unlinked: Type.Optional(
    Type.Literal(true, {
      description: 'No link or sitemap leads to the page any more; the crawl before had it.',
    }),
  ),
};

/** The parameter that selects results by `change`. */
export const ChangeFilterSchema = Type.Optional(
  OneOf(CHANGE_FILTERS, {
    description:
      'Only results with this `change`, or those that are `unlinked`; for crawls with `since` or `changes`.',
  }),
);
