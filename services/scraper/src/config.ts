import { defineConfig, MODEL_SETTINGS, PROXY_SETTINGS, setting } from '@gleaner/config';
import { FILE_PART_BYTES, MAX_FILE_PARTS, METHODS } from '@gleaner/contracts';
import { SECRET_SETTINGS } from '@gleaner/service-kit';

/** Settings of the scraper, in addition to those of every service. */
export const SCRAPER_SETTINGS = defineConfig({
  ENGINES: {
    type: setting.someOf(['http', 'browser']),
    default: ['http', 'browser'],
    meaning: 'Work of one scraper: http (plain fetches), browser (pages to render), or both.',
  },
  SCRAPE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 150,
    meaning:
      'Pages that one scraper fetches for one account at the same time; a third more are reserved for other accounts.',
  },
  PAGE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 30,
    meaning: 'Pages of jobs that one scraper fetches at the same time, in addition to scrapes.',
  },
  EXTRACTION_WORKERS: {
    type: setting.integer({ minimum: 1, maximum: 64 }),
    default: 2,
    meaning:
      'Threads that read large pages, pages of jobs beside scrapes, and snapshots; one of several is never taken by an account that holds the others. Each may use up to 200 MB of memory, and so may two that wait while others are read.',
  },
  EGRESS_ALLOW: {
    type: setting.list,
    default: [],
    meaning: 'Private hosts, CIDRs and ports that may be reached, such as 10.0.0.0/8 or shop.test:8080.',
  },
  ALLOW_METHODS: {
    type: setting.someOf(METHODS),
    default: METHODS,
    meaning:
      'Methods that plain fetches may use, also for schedules that were created while the gateway allowed more.',
  },
  MAX_FILE_BYTES: {
    type: setting.integer({ minimum: 1024 * 1024, maximum: FILE_PART_BYTES * MAX_FILE_PARTS }),
    default: 64 * 1024 * 1024,
    meaning:
      'Size of the largest file that `download` keeps. It has to arrive and be stored within 120 seconds: 1 GiB takes 9 MiB a second.',
  },
  ...PROXY_SETTINGS,
  ...SECRET_SETTINGS,
  ...MODEL_SETTINGS,
  LLM_API_KEY: {
    type: setting.text,
    default: undefined,
    meaning: 'Key that is sent to LLM_URL, if it needs one.',
    isSecret: true,
  },
  LLM_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 100 }),
    default: 4,
    meaning:
      'Pages that one scraper asks the model about at the same time; a quarter of them are reserved for other accounts.',
  },
  USER_AGENT: {
    type: setting.text,
    default: undefined,
    meaning: 'The User-Agent of plain fetches; by default one that names Gleaner.',
  },
  ANTIBOT_REMEMBER_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 86_400_000 }),
    default: 600_000,
    meaning:
      'Time for which antiBot and render "auto" remember the rung that worked for a host, and antiBot the cookies that the site set.',
  },
  CHROMIUM_PATH: {
    type: setting.text,
    default: undefined,
    meaning: 'Binary of Chromium or Chrome; by default the one in the npm package @sparticuz/chromium.',
  },
  BROWSER_DIR: {
    type: setting.text,
    default: undefined,
    meaning:
      'Folder for the unpacked Chromium (210 MB) and the profiles of running browsers; by default `$XDG_CACHE_HOME/gleaner` or `~/.cache/gleaner`, or one in the folder for temporary files where these cannot hold programs.',
  },
  XDG_CACHE_HOME: {
    type: setting.text,
    default: undefined,
    meaning: 'Folder for caches of the user, in which `gleaner` is used without BROWSER_DIR.',
  },
  BROWSER_SCRAPE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 100 }),
    default: 4,
    meaning:
      'Pages that one scraper renders for one account at the same time; a third more are reserved for other accounts.',
  },
  BROWSER_PAGE_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 100 }),
    default: 2,
    meaning: 'Pages of jobs that one scraper renders at the same time, in addition to scrapes.',
  },
  BROWSER_MAX_USES: {
    type: setting.integer({ minimum: 1, maximum: 1_000_000 }),
    default: 500,
    meaning: 'Number of pages after which a browser is replaced by a new one.',
  },
  BROWSER_MAX_MB: {
    type: setting.integer({ minimum: 100, maximum: 1_000_000 }),
    default: 1500,
    meaning: 'Memory of all processes of a browser at which it is replaced by a new one.',
  },
  BROWSER_TAB_MAX_MB: {
    type: setting.integer({ minimum: 50, maximum: 1_000_000 }),
    default: 768,
    meaning: 'Memory of one page at which it is killed.',
  },
  BROWSER_PAGE_MAX_MB: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 50,
    meaning: 'Size limit of a page and everything that it loads.',
  },
  BROWSER_SHARE_CONTEXTS: {
    type: setting.boolean,
    default: true,
    meaning:
      'Whether consecutive pages of one account may use one browser context, cleaned between them; never pages of two accounts.',
  },
  BROWSER_IDLE_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 86_400_000 }),
    default: 300_000,
    meaning: 'Time after which an idle browser is closed.',
  },
  BROWSER_BLOCK_URLS: {
    type: setting.list,
    default: [],
    meaning: 'URLs that rendered pages do not load; * stands for any characters, as in *://*.tracker.test/*.',
  },
});
