import { type Config, defineConfig, PROXY_SETTINGS, setting } from '@gleaner/config';

/** What the gateway can be told. */
export const GATEWAY_SETTINGS = defineConfig({
  HOST: {
    type: setting.text,
    default: '127.0.0.1',
    meaning: 'Address on which the API is served; 0.0.0.0 in a container.',
  },
  PORT: {
    type: setting.port,
    default: 8080,
    meaning: 'Port on which the API is served; 0 takes any free one.',
  },
  PUBLIC_URL: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'https://gleaner.example.com' }),
    default: undefined,
    meaning: 'Address that callers use, as the OpenAPI document shows it; by default where it is read from.',
  },
  BOOTSTRAP_API_KEY: {
    type: setting.text,
    default: undefined,
    meaning: 'An admin key to take in; without it the first start makes one and shows it once.',
    isSecret: true,
  },
  EGRESS_ALLOW: {
    type: setting.list,
    default: [],
    meaning: 'Private hosts, CIDRs and ports that scrapes may reach.',
  },
  ...PROXY_SETTINGS,
  CORS_ORIGINS: {
    type: setting.list,
    default: [],
    meaning:
      'Origins whose pages may call the API from a browser, such as https://app.example.com; * for all.',
  },
  RATE_LIMIT_SCRAPE: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 100,
    meaning: 'Scrapes a key may make a minute.',
  },
  RATE_LIMIT_CREATE: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 30,
    meaning: 'Creating and changing calls, other than scrapes, a key may make a minute.',
  },
  RATE_LIMIT_READ: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 1000,
    meaning: 'Reading calls a key may make a minute.',
  },
  MAX_SCRAPES_IN_FLIGHT: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 50,
    meaning: 'Scrapes of a key that may be in flight at once, over all replicas.',
  },
  HEADERS_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 600_000 }),
    default: 10_000,
    meaning: 'How long the header section of a request may take to arrive.',
  },
  REQUEST_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 600_000 }),
    default: 30_000,
    meaning:
      'How long a whole request may take to arrive, and a caller to take the next part of an answer that is ready.',
  },
  KEEP_ALIVE_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 3_600_000 }),
    default: 65_000,
    meaning: 'How long an idle connection is kept; longer than that of a load balancer in front.',
  },
  SETTLEMENT_GRACE_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 60_000,
    meaning:
      "How long after a scrape's deadline the credits are still held that a dead gateway had reserved.",
  },
  SWEEP_INTERVAL_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 30_000,
    meaning: 'How often the credits that a dead gateway held are given back.',
  },
});

/** The gateway's settings, read and checked. */
export type GatewayConfig = Config<typeof GATEWAY_SETTINGS>;
