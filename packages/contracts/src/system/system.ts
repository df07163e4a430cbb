import { type Static, Type } from 'typebox';

const ServiceSchema = Type.Object(
  {
    name: Type.String({ examples: ['scraper'] }),
    purpose: Type.String({ description: 'Work that the processes take.' }),
    processes: Type.Integer({ description: 'Processes that take this work now.' }),
  },
  { additionalProperties: false },
);

const QueueSchema = Type.Object(
  {
    name: Type.String({ examples: ['pages.http'] }),
    messages: Type.Integer({ description: 'Messages that wait, those for a later time included.' }),
    consumers: Type.Integer(),
  },
  { additionalProperties: false },
);

/** State of the service as its broker knows it. */
export const SystemSchema = Type.Object(
  {
    version: Type.String(),
    services: Type.Array(ServiceSchema),
    queues: Type.Array(QueueSchema),
  },
  { additionalProperties: false },
);
export type System = Static<typeof SystemSchema>;
