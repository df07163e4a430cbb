import { type Static, Type } from 'typebox';

/** What the orchestrator that dispatches had better know at once; it finds out by itself a little later. */
export const DispatchHintSchema = Type.Object(
  {
    /** Whether a job was created, or a page waits again. */
    hasNewWork: Type.Boolean(),
    /** Pages that are no longer with a worker. */
    endedPageIds: Type.Array(Type.String()),
    /** Hosts that asked to be left alone, and until when in milliseconds since 1970. */
    slowHosts: Type.Array(
      Type.Object({ host: Type.String(), untilMs: Type.Integer() }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);
export type DispatchHint = Static<typeof DispatchHintSchema>;
