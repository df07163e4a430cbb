import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** Kinds of entries of a feed: a message of a rule, and the changes that a run found. */
export const FEED_KINDS = ['rules', 'changes'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** Addresses of the feeds of a schedule. */
export const ScheduleFeedSchema = Type.Object(
  {
    token: Type.String({
      description: 'Opens the feeds of this schedule, and nothing else, without an API key.',
      examples: ['glf_…'],
    }),
    atomUrl: Type.String({
      description:
        'Path of the Atom feed with the token; a reader takes it behind the address of the service.',
      examples: ['/v1/schedules/sch_01jd8x0000000000000000000/feed.atom?token=glf_…'],
    }),
    jsonUrl: Type.String({ description: 'The same as JSON Feed.' }),
    createdAt: Timestamp({ description: 'Time at which the token was made.' }),
  },
  { additionalProperties: false },
);
export type ScheduleFeed = Static<typeof ScheduleFeedSchema>;

/** Query of the feeds. */
export const FeedQuerySchema = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Token of the feeds of the schedule. Without it, the request needs an API key.',
      }),
    ),
    only: Type.Optional(
      OneOf(FEED_KINDS, { description: 'Only what rules tell, or only changes of runs. Default both.' }),
    ),
  },
  { additionalProperties: false },
);
