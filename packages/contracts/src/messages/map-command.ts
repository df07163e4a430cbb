import type { Static } from 'typebox';
import { MapRequestSchema } from '../crawl/map-request.ts';
import { Type } from '../type.ts';

/** Lists the URLs of a site while the caller waits. */
export const MapCommandSchema = Type.Object(
  {
    requestId: Type.String(),
    accountId: Type.String(),
    timeoutMs: Type.Integer({ description: 'Time until the reply; what was found by then is returned.' }),
    request: MapRequestSchema,
  },
  { additionalProperties: false },
);
export type MapCommand = Static<typeof MapCommandSchema>;

/** The URLs, as JSON text that no service on the way to the caller needs to parse. */
export const MapReplySchema = Type.Object(
  {
    mapJson: Type.String({ description: 'A `MapResult`.' }),
    pages: Type.Integer({ minimum: 0, description: 'Pages that were read, which are charged.' }),
  },
  { additionalProperties: false },
);
export type MapReply = Static<typeof MapReplySchema>;
