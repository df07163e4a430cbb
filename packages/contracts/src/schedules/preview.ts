import { Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { cron, timezone } from './schedule-settings.ts';

const MAX_RUNS = 20;

/** The query of `GET /v1/schedules/preview`. */
export const PreviewQuerySchema = Type.Object(
  {
    cron,
    timezone: Type.Optional(timezone),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_RUNS, description: 'Number of runs. Default 5.' }),
    ),
  },
  { additionalProperties: false },
);

/** The next times of a cron expression. */
export const PreviewSchema = Type.Object(
  {
    timezone: Type.String({ description: 'The time zone as IANA spells it.' }),
    runs: Type.Array(Timestamp(), { description: 'The next times, the nearest first.' }),
  },
  { additionalProperties: false },
);
