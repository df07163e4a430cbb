import type { Static } from 'typebox';
import { Type } from '../type.ts';

/** News for the orchestrator that dispatches. Without the hint it finds out a little later. */
export const DispatchHintSchema = Type.Object(
  {
    /** True when a job was created, or a page is waiting again. */
    hasNewWork: Type.Boolean(),
    /** Pages that no worker has any more. */
    endedPageIds: Type.Array(Type.String()),
    /** Ended pages with an overloaded host: it answered 429 or 503, or not in time. */
    strainedPageIds: Type.Array(Type.String()),
    /** Ended pages without a request, because their lane ended first. */
    unstartedPageIds: Type.Array(Type.String()),
    /** Crawls that may have new pages. */
    grownJobIds: Type.Array(Type.String()),
    /** Hosts that asked for a pause, each until a time in milliseconds since 1970. */
    slowHosts: Type.Array(
      Type.Object({ host: Type.String(), untilMs: Type.Integer() }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);
export type DispatchHint = Static<typeof DispatchHintSchema>;
