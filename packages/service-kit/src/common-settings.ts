import { type Config, type ConfigTable, defineConfig, setting } from '@gleaner/config';

/** Settings of every service. */
export const COMMON_SETTINGS = defineConfig({
  INSTANCE: {
    type: setting.text,
    default: undefined,
    meaning: 'Name of this replica in log lines; by default the host name and process ID.',
  },
  LOG_LEVEL: {
    type: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'Lowest level of the log lines that are written.',
  },
  LOG_FORMAT: {
    type: setting.oneOf(['json', 'pretty']),
    default: 'json',
    meaning: 'json writes one JSON object per line, for log collectors; pretty writes lines for people.',
  },
  METRICS_HOST: {
    type: setting.text,
    default: '127.0.0.1',
    meaning: 'Address on which /metrics, /livez and /readyz are served; set it to 0.0.0.0 in a container.',
  },
  METRICS_PORT: {
    type: setting.port,
    default: 9464,
    meaning: 'Port on which /metrics, /livez and /readyz are served; 0 picks a free one.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'http://127.0.0.1:4318' }),
    default: undefined,
    meaning:
      'Base URL of an OpenTelemetry collector (OTLP over HTTP), which gets traces; without it, nothing is traced.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: setting.text,
    default: undefined,
    meaning: 'Further headers for the collector: name=value, separated by commas, values percent-encoded.',
    isSecret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: setting.number({ minimum: 0, maximum: 1 }),
    default: 1,
    meaning: 'Share of calls that are traced; a call with a traceparent follows the decision of its caller.',
  },
  STARTUP_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 1, maximum: 3_600_000 }),
    default: 60_000,
    meaning: 'Time limit for the start, including the wait for broker and database.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 1, maximum: 3_600_000 }),
    default: 25_000,
    meaning:
      'Time limit for work in progress after SIGTERM; closing the connections then takes up to 6 seconds.',
  },
});

/** Settings of a service that uses the broker. */
export const BROKER_SETTINGS = defineConfig({
  AMQP_URL: {
    type: setting.url({ protocols: ['amqp:', 'amqps:'], example: 'amqp://user:password@127.0.0.1:5672' }),
    default: 'amqp://127.0.0.1:5672',
    meaning: 'URL of the broker: RabbitMQ, or the embedded broker of npm start.',
    isSecret: true,
  },
});

/** Settings of a service that uses the database. */
export const DATABASE_SETTINGS = defineConfig({
  MONGODB_URI: {
    type: setting.url({
      protocols: ['mongodb:', 'mongodb+srv:'],
      example: 'mongodb://user:password@127.0.0.1:27017/gleaner',
    }),
    default: 'mongodb://127.0.0.1:27017/gleaner',
    meaning:
      'URI of the database: MongoDB, or the embedded database of npm start. The path is the name of the database, by default gleaner.',
    isSecret: true,
  },
});

/** Values of all common settings. */
export type ServiceConfig = Config<
  typeof COMMON_SETTINGS & typeof BROKER_SETTINGS & typeof DATABASE_SETTINGS
>;

const BACKEND_SETTINGS = { broker: BROKER_SETTINGS, database: DATABASE_SETTINGS };

/** Lists all settings of a service: its own first, then the common ones that it does not replace. */
export function serviceSettings(service: {
  readonly config: ConfigTable;
  readonly uses: readonly (keyof typeof BACKEND_SETTINGS)[];
}): ConfigTable {
  const backends = service.uses.map((backend) => BACKEND_SETTINGS[backend]);
  return Object.assign({}, service.config, ...backends, COMMON_SETTINGS, service.config);
}
