import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** A browser that a scraper runs. */
export const RunningBrowserSchema = Type.Object(
  {
    kind: OneOf(['plain', 'visual', 'disguised'], {
      description:
        '`plain` reads pages, `visual` draws them for screenshots, `disguised` looks like a browser of a person.',
    }),
    version: Type.String({ examples: ['149.0.7795.2'] }),
    tabs: Type.Integer({ minimum: 0, description: 'Tabs that pages are rendered in.' }),
    memoryBytes: Type.Integer({
      minimum: 0,
      description: 'Anonymous memory of all its processes, as last measured while a tab was in use.',
    }),
  },
  { additionalProperties: false },
);

/** The browser that a scraper renders pages in, whether one runs or not. */
const ChromiumSchema = Type.Object(
  {
    version: Type.String({ examples: ['156.0.8078.108'] }),
    releasedAt: Timestamp({
      description: 'Release of the package that brings it, or the date of the file that CHROMIUM_PATH names.',
    }),
  },
  { additionalProperties: false, description: 'Of scrapers that render pages: their browser and its age.' },
);
export type ChromiumFacts = Static<typeof ChromiumSchema>;

/** A host whose pages wait. */
export const PausedHostSchema = Type.Object(
  {
    host: Type.String({ examples: ['example.com'] }),
    until: Timestamp({ description: 'Time at which the next page may be sent.' }),
  },
  { additionalProperties: false },
);
export type PausedHost = Static<typeof PausedHostSchema>;

/** Most paused hosts that are named. */
export const MAX_PAUSED_HOSTS = 500;

/** Facts that a process reports beside its name. */
export const InstanceFactsSchema = Type.Object(
  {
    browsers: Type.Optional(
      Type.Array(RunningBrowserSchema, { description: 'Of scrapers that render pages: browsers that run.' }),
    ),
    chromium: Type.Optional(ChromiumSchema),
    pausedHosts: Type.Optional(
      Type.Array(PausedHostSchema, { description: 'Of the orchestrator that dispatches.' }),
    ),
  },
  { additionalProperties: false },
);
export type InstanceFacts = Static<typeof InstanceFactsSchema>;

const INSTANCE_PROPERTIES = {
  id: Type.String({ description: 'Of this run of the process.' }),
  service: Type.String({ examples: ['scraper'] }),
  name: Type.String({ description: '`INSTANCE`, or host name and process id.' }),
  version: Type.String(),
  startedAt: Timestamp(),
};

/** Sign of life of a process, which repeats it every few seconds. */
export const HeartbeatSchema = Type.Object(
  {
    ...INSTANCE_PROPERTIES,
    facts: InstanceFactsSchema,
    /** True in the last one, when the process stops. */
    isLast: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type Heartbeat = Static<typeof HeartbeatSchema>;

/** Time after its last heartbeat at which a process is forgotten. */
export const HEARTBEAT_VALID_MS = 60_000;

/** A process of the service. */
export const InstanceSchema = Type.Object(
  {
    ...INSTANCE_PROPERTIES,
    seenAt: Timestamp({
      description:
        'Time of its last heartbeat. A process that stops is removed at once, one that was killed after a minute.',
    }),
    browsers: InstanceFactsSchema.properties.browsers,
    chromium: InstanceFactsSchema.properties.chromium,
  },
  { additionalProperties: false },
);
export type Instance = Static<typeof InstanceSchema>;
