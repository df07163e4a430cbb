import { defineConfig, setting } from '@gleaner/config';

/** What every service can be told. */
export const COMMON_SETTINGS = defineConfig({
  INSTANCE: {
    type: setting.text,
    default: undefined,
    meaning: 'Name of this replica in log lines; by default the host name and the process id.',
  },
  LOG_LEVEL: {
    type: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'The least grave log lines that are written.',
  },
  LOG_FORMAT: {
    type: setting.oneOf(['json', 'pretty']),
    default: 'json',
    meaning: 'json: one JSON object a line, for collectors; pretty: for people.',
  },
  METRICS_HOST: {
    type: setting.text,
    default: '127.0.0.1',
    meaning: 'Address on which /metrics, /livez and /readyz are served; 0.0.0.0 in a container.',
  },
  METRICS_PORT: {
    type: setting.port,
    default: 9464,
    meaning: 'Port on which /metrics, /livez and /readyz are served; 0 takes any free one.',
  },
  STARTUP_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 1, maximum: 3_600_000 }),
    default: 60_000,
    meaning: 'How long a start may take, waiting for broker and database included.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 1, maximum: 3_600_000 }),
    default: 25_000,
    meaning:
      'How long work in flight may go on after SIGTERM; closing the connections then takes 6 seconds at most.',
  },
});

/** What a service that uses the broker can be told. */
export const BROKER_SETTINGS = defineConfig({
  AMQP_URL: {
    type: setting.url({ protocols: ['amqp:', 'amqps:'], example: 'amqp://user:password@127.0.0.1:5672' }),
    default: 'amqp://127.0.0.1:5672',
    meaning: 'The broker: RabbitMQ, or the embedded one of npm start.',
    isSecret: true,
  },
});

/** What a service that uses the database can be told. */
export const DATABASE_SETTINGS = defineConfig({
  MONGODB_URI: {
    type: setting.url({
      protocols: ['mongodb:', 'mongodb+srv:'],
      example: 'mongodb://user:password@127.0.0.1:27017/gleaner',
    }),
    default: 'mongodb://127.0.0.1:27017/gleaner',
    meaning:
      'The database: MongoDB, or the embedded one of npm start. The path names the database, gleaner where there is none.',
    isSecret: true,
  },
});
