import {
  type Config,
  defineConfig,
  MODEL_SETTINGS,
  NOTIFY_SETTINGS,
  PROXY_SETTINGS,
  SINK_SETTINGS,
  setting,
} from '@gleaner/config';
import { LIMITS, METHODS } from '@gleaner/contracts';
import { SECRET_SETTINGS } from '@gleaner/service-kit';

/** Settings of the gateway. */
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
    meaning:
      'Address that callers use, shown in the OpenAPI document; by default the address it is read from.',
  },
  CONSOLE_DIR: {
    type: setting.text,
    default: undefined,
    meaning: 'Folder of the built console, served at /console/; without it there is no console.',
  },
  EXAMPLE_URL: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'https://shop.example.com/' }),
    default: 'https://example.com/',
    meaning: 'Page that the examples of /docs scrape; npm start takes the demo site.',
  },
  BOOTSTRAP_API_KEY: {
    type: setting.text,
    default: undefined,
    meaning: 'An admin key to import; without it the first start creates one and shows it once.',
    isSecret: true,
  },
  EGRESS_ALLOW: {
    type: setting.list,
    default: [],
    meaning: 'Private hosts, CIDRs and ports that scrapes may reach.',
  },
  ALLOW_METHODS: {
    type: setting.someOf(METHODS),
    default: METHODS,
    meaning: 'Methods that scrapes, jobs and schedules may use.',
  },
  ...PROXY_SETTINGS,
  ...SECRET_SETTINGS,
  ...NOTIFY_SETTINGS,
  ...MODEL_SETTINGS,
  ...SINK_SETTINGS,
  MAX_PAGES_PER_CRAWL: {
    type: setting.integer({ minimum: 1, maximum: LIMITS.maxCrawlLimit }),
    default: 100_000,
    meaning: 'Largest `limit` of a crawl that callers may ask for.',
  },
  ROBOTS_POLICY: {
    type: setting.oneOf(['caller-decides', 'obey']),
    default: 'caller-decides',
    meaning: 'Whether callers may crawl with `robots: "ignore"`; obey forbids it.',
  },
  SEARCH_URL: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'http://searxng:8080' }),
    default: undefined,
    meaning:
      'Address of the SearXNG that answers `POST /v1/search`; it may be a private one. Without it there is no search.',
    isSecret: true,
  },
  FIRECRAWL_API: {
    type: setting.oneOf(['on', 'off']),
    default: 'on',
    meaning: 'Whether programs written for Firecrawl are served, at /firecrawl and /v2.',
  },
  CORS_ORIGINS: {
    type: setting.list,
    default: [],
    meaning:
      'Origins whose pages may call the API from a browser, such as https://app.example.com; * for all.',
  },
  RATE_LIMIT_SCRAPE: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 100,
    meaning: 'Scrapes per minute and key.',
  },
  RATE_LIMIT_CREATE: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 30,
    meaning: 'Requests that create or change something, other than scrapes, per minute and key.',
  },
  RATE_LIMIT_READ: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 1000,
    meaning: 'Read requests per minute and key.',
  },
  RATE_LIMIT_EXTRACT: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 300,
    meaning: 'Extractions from HTML that callers send, per minute and key.',
  },
  MAX_SCRAPES_IN_FLIGHT: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 50,
    meaning: 'Scrapes that a key may have in flight at once, on all replicas together.',
  },
  SNAPSHOT_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 30 * 86_400_000 }),
    default: 86_400_000,
    meaning: 'How long pages of scrapes with `snapshot` are kept.',
  },
  SNAPSHOT_QUOTA_BYTES: {
    type: setting.integer({ minimum: 1024 * 1024, maximum: 1024 ** 4 }),
    default: 256 * 1024 * 1024,
    meaning: 'Bytes of compressed snapshots that an account may keep; the oldest give way to new ones.',
  },
  CACHE_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: LIMITS.maxReuseMs }),
    default: 86_400_000,
    meaning:
      'How long pages of requests with `maxAge` are kept at most, to be taken instead of fetched ones.',
  },
  CACHE_QUOTA_BYTES: {
    type: setting.integer({ minimum: 1024 * 1024, maximum: 1024 ** 4 }),
    default: 64 * 1024 * 1024,
    meaning:
      'Bytes of compressed pages that are kept for `maxAge` of an account; the oldest give way to new ones.',
  },
  MAX_BODY_BYTES_IN_FLIGHT: {
    type: setting.integer({ minimum: LIMITS.maxExtractBodyBytes, maximum: 1024 ** 3 }),
    default: 32 * 1024 * 1024,
    meaning: 'Bytes of large request bodies that an account may have in progress at once at each gateway.',
  },
  MAX_EVENT_STREAMS: {
    type: setting.integer({ minimum: 1, maximum: 100_000 }),
    default: 50,
    meaning: 'Event streams of jobs that a key may have open at once at each gateway.',
  },
  MAX_CONNECTIONS: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 10_000,
    meaning: 'Connections that a gateway keeps open at once; further ones are closed immediately.',
  },
  HEADERS_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 600_000 }),
    default: 10_000,
    meaning: 'How long the header section of a request may take to arrive.',
  },
  REQUEST_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 600_000 }),
    default: 30_000,
    meaning: 'How long a whole request may take to arrive, and a client to read the next part of a response.',
  },
  KEEP_ALIVE_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 3_600_000 }),
    default: 65_000,
    meaning: 'How long an idle connection is kept open; use more than the load balancer in front of it.',
  },
  SETTLEMENT_GRACE_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 60_000,
    meaning:
      'How long after the deadline of a scrape the credits that a dead gateway had reserved stay held.',
  },
  SWEEP_INTERVAL_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 30_000,
    meaning: 'How often the credits that dead gateways had reserved are released.',
  },
});

/** Checked values of the gateway's settings. */
export type GatewayConfig = Config<typeof GATEWAY_SETTINGS>;
