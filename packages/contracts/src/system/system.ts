import { Type } from '../type.ts';
import { InstanceSchema, PausedHostSchema } from './instance.ts';

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

/** State of the service, from its broker and from what its processes tell. */
export const SystemSchema = Type.Object(
  {
    version: Type.String(),
    services: Type.Array(ServiceSchema),
    queues: Type.Array(QueueSchema),
    instances: Type.Array(InstanceSchema, {
      description: 'Processes, by service; a new one appears within seconds.',
    }),
    pausedHosts: Type.Array(PausedHostSchema, {
      description:
        'Hosts that answered 429 or 503: pages of jobs wait for them. The longest pauses come first.',
    }),
  },
  { additionalProperties: false },
);
