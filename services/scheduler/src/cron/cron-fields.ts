/** One of the five fields of a cron expression: what may stand in it. */
export interface CronField {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  /** Names of the values from `minimum` on, in lower case. */
  readonly names?: readonly string[];
}

/** The fields in their order (POSIX crontab; names, steps and 7 for Sunday as in Vixie cron, crontab(5)). */
export const CRON_FIELDS = [
  { name: 'minute', minimum: 0, maximum: 59 },
  { name: 'hour', minimum: 0, maximum: 23 },
  { name: 'day of the month', minimum: 1, maximum: 31 },
  {
    name: 'month',
    minimum: 1,
    maximum: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  {
    name: 'day of the week',
    minimum: 0,
    maximum: 7,
    names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  },
] as const satisfies readonly CronField[];
