import { defineConfig, PROXY_SETTINGS, setting } from '@gleaner/config';

/** What the scraper can be told, beside what every service can. */
export const SCRAPER_SETTINGS = defineConfig({
  ENGINES: {
    type: setting.someOf(['http', 'browser']),
    default: ['http', 'browser'],
    meaning: 'What one scraper takes: http (plain fetches), browser (pages to be rendered), or both.',
  },
  SCRAPE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 150,
    meaning:
      'How many pages one scraper fetches for one account at the same time; a third more are there for the others.',
  },
  PAGE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 30,
    meaning:
      'How many pages of jobs one scraper fetches at the same time, beside the scrapes that callers wait for.',
  },
  EXTRACTION_WORKERS: {
    type: setting.integer({ minimum: 1, maximum: 64 }),
    default: 1,
    meaning: 'How many threads read pages over 64 KiB; each may take up to 200 MB of memory.',
  },
  EGRESS_ALLOW: {
    type: setting.list,
    default: [],
    meaning: 'Private hosts, CIDRs and ports that may be reached, such as 10.0.0.0/8 or shop.test:8080.',
  },
  ...PROXY_SETTINGS,
  USER_AGENT: {
    type: setting.text,
    default: undefined,
    meaning: 'The User-Agent of plain fetches; by default one that names Gleaner.',
  },
  ANTIBOT_REMEMBER_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 86_400_000 }),
    default: 600_000,
    meaning:
      'How long it is remembered which way got through to a host, with the cookies that the site set; requests with antiBot try it first.',
  },
  CHROMIUM_PATH: {
    type: setting.text,
    default: undefined,
    meaning:
      'The binary of Chromium or Chrome; by default the one that the npm package @sparticuz/chromium brings.',
  },
  BROWSER_DIR: {
    type: setting.text,
    default: undefined,
    meaning:
      'Folder for the unpacked Chromium (210 MB) and the profiles of running browsers; by default one in the folder for temporary files.',
  },
  BROWSER_SCRAPE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 100 }),
    default: 4,
    meaning:
      'How many pages one scraper renders for one account at the same time; a third more are there for the others.',
  },
  BROWSER_PAGE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 100 }),
    default: 2,
    meaning:
      'How many pages of jobs one scraper renders at the same time, beside the scrapes that callers wait for.',
  },
  BROWSER_MAX_USES: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 500,
    meaning: 'After how many pages a browser is replaced by a new one.',
  },
  BROWSER_MAX_MB: {
    type: setting.integer({ minimum: 100, maximum: 1_000_000 }),
    default: 1500,
    meaning: 'Memory of all processes of a browser at which it is replaced by a new one.',
  },
  BROWSER_TAB_MAX_MB: {
    type: setting.integer({ minimum: 50, maximum: 1_000_000 }),
    default: 768,
    meaning: 'Memory at which a page is ended.',
  },
  BROWSER_PAGE_MAX_MB: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 50,
    meaning: 'How much a page and everything that it loads may come to.',
  },
  BROWSER_IDLE_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 86_400_000 }),
    default: 300_000,
    meaning: 'How long a browser without work is kept.',
  },
  BROWSER_BLOCK_URLS: {
    type: setting.list,
    default: [],
    meaning: 'URLs that rendered pages do not load, with * for any characters, such as *://*.tracker.test/*.',
  },
});
