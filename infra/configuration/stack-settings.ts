import {
  defineConfig,
  MODEL_SETTINGS,
  NOTIFY_SETTINGS,
  PROXY_SETTINGS,
  SINK_SETTINGS,
  setting,
} from '@gleaner/config';

/** The settings of `npm start`, read from environment variables. */
export const STACK_SETTINGS = defineConfig({
  PORT: {
    type: setting.port,
    default: undefined,
    meaning: 'Port of the REST interface; by default 8080, or a free one when that is taken.',
  },
  HOST: {
    type: setting.text,
    default: '127.0.0.1',
    meaning: 'Address of the REST interface; 0.0.0.0 opens it to the network.',
  },
  PUBLIC_URL: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'https://gleaner.example.com' }),
    default: undefined,
    meaning:
      'Address at which others reach the REST interface, used for links in webhooks; by default made of HOST and PORT.',
  },
  DEMO_PORT: {
    type: setting.port,
    default: 8090,
    meaning: 'Port of the demo site; a free one when it is taken.',
  },
  RANGE_PORT: {
    type: setting.integer({ minimum: 1, maximum: 65_535 }),
    default: undefined,
    meaning:
      'Port of 127.0.0.1 and localhost that scrapes may reach besides the demo site, for the pages of `npm run range`.',
  },
  METRICS_PORT: {
    type: setting.port,
    default: undefined,
    meaning:
      'Port of /metrics, /livez and /readyz for all processes together; by default 9464, or a free one when that is taken.',
  },
  METRICS_HOST: {
    type: setting.text,
    default: '127.0.0.1',
    meaning: 'Address on which /metrics, /livez and /readyz are served.',
  },
  GLEANER_DATA_DIR: {
    type: setting.text,
    default: '.gleaner',
    meaning: 'Folder for the data, the API key and the logs.',
  },
  CONSOLE_DIR: {
    type: setting.text,
    default: undefined,
    meaning: 'Folder of a console that is built already; by default one is built at the first start.',
  },
  IN_CONTAINER: {
    type: setting.boolean,
    default: false,
    meaning:
      'Set by the image: others reach only the ports that its engine publishes, and the key is read with docker exec.',
  },
  BOOTSTRAP_API_KEY: {
    type: setting.text,
    default: undefined,
    meaning: 'The first admin key; by default one is made and kept in the data folder.',
    isSecret: true,
  },
  SECRETS_KEY: {
    type: setting.text,
    default: undefined,
    meaning:
      'Key that encrypts the secrets, profiles and channels of accounts; by default one is made and kept in the data folder.',
    isSecret: true,
  },
  AMQP_URL: {
    type: setting.url({ protocols: ['amqp:', 'amqps:'], example: 'amqp://user:password@127.0.0.1:5672' }),
    default: undefined,
    meaning: 'A RabbitMQ server to use instead of the embedded broker.',
    isSecret: true,
  },
  MONGODB_URI: {
    type: setting.url({
      protocols: ['mongodb:', 'mongodb+srv:'],
      example: 'mongodb://user:password@127.0.0.1:27017/gleaner',
    }),
    default: undefined,
    meaning: 'A MongoDB server to use instead of the embedded database.',
    isSecret: true,
  },
  EGRESS_ALLOW: {
    type: setting.list,
    default: [],
    meaning:
      'Private hosts, CIDRs and ports that scrapes may reach, besides the demo site; for instance localhost:3000.',
  },
  ...PROXY_SETTINGS,
  ...NOTIFY_SETTINGS,
  ...MODEL_SETTINGS,
  ...SINK_SETTINGS,
  LOG_LEVEL: {
    type: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'The lowest level of the lines in the log files.',
  },
});
