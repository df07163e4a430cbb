import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { BROWSER_OPTIONS } from './browser-options.ts';
import { CookieSchema } from './cookie.ts';
import { FormatsSchema, LocaleSchema } from './formats.ts';
import { ModelExtractSchema } from './model-extract.ts';
import { type OptionRow, option } from './option.ts';
import { PdfOptionsSchema } from './pdf.ts';
import { REQUEST_OPTIONS } from './request-body.ts';
import { SelectorMapSchema } from './selectors.ts';

/** Choice of a profile. */
export interface ProfileChoice {
  id: string;
  save?: boolean;
}

/** Options of a scrape except its URL, a row each; jobs and schedules take the same. */
export const SCRAPE_OPTIONS = {
  recipe: option({
    schema: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^(auto|rec_[0-9a-z]+(@[1-9][0-9]{0,8})?)$',
      'x-expected':
        'the id of a recipe such as "rec_01jd…", one with a version such as "rec_01jd…@3", or "auto"',
      description:
        'A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options.',
      examples: ['auto'],
    }),
    isOfRequest: true,
    reuse: 'anyPage',
    flags: {
      '--recipe <id>': 'take the options of a recipe: rec_…, rec_…@3, or auto',
    },
  }),
  selectors: option({ schema: SelectorMapSchema, reads: true, reuse: 'anyPage' }),
  formats: option({ schema: FormatsSchema, reads: true, reuse: 'anyPage' }),
  extract: option({
    schema: ModelExtractSchema,
    reads: true,
    reuse: 'noPage',
    flags: {
      '--schema <file>': {
        help: 'find the fields of this JSON schema by a model',
        field: 'schema',
        kind: 'jsonFile',
        group: 'Data',
      },
      '--extract-prompt <text>': {
        help: 'what the model is told besides',
        field: 'prompt',
        group: 'Data',
      },
    },
  }),
  locale: option({
    schema: LocaleSchema,
    reuse: 'anyPage',
    flags: { '--locale <tag>': { help: 'language of numbers, prices and dates, such as de', group: 'Data' } },
  }),
  ...REQUEST_OPTIONS,
  ...BROWSER_OPTIONS,
  pdf: option({
    schema: PdfOptionsSchema,
    reads: true,
    reuse: 'anyPage',
    flags: {
      '--pdf-pages <count>': {
        help: 'pages to read of a PDF; 100 unless given',
        field: 'maxPages',
        kind: 'count',
      },
    },
  }),
  download: option({
    schema: Type.Boolean({
      description:
        'Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false.',
    }),
    needs: 'http',
    reuse: 'noPage',
    flags: {
      '--download':
        'keep what the URL answers with as a file, for gleaner file; a crawl keeps the files it comes to',
    },
  }),
  onSuspect: option({
    schema: OneOf(['keep', 'fail'], {
      description:
        'What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.',
    }),
    off: 'keep',
    reads: true,
    reuse: 'anyPage',
    flags: {
      '--on-suspect <what>':
        'what becomes of a page that is a captcha, a login, an error page or a shell of scripts',
    },
  }),
  snapshot: option({
    schema: Type.Boolean({
      description:
        'Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false.',
    }),
    reads: true,
    reuse: 'anyPage',
    flags: { '--snapshot': 'keep the page for a day, to extract from it again' },
  }),
  maxAge: option({
    schema: Type.Integer({
      minimum: 0,
      maximum: LIMITS.maxReuseMs,
      description:
        'Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.',
      examples: [3_600_000],
    }),
    off: 0,
    reuse: 'anyPage',
    flags: {
      '--max-age <ms>': 'take the page as the account has fetched it at most so long ago, for no credits',
    },
  }),
  freshContext: option({
    schema: Type.Boolean({
      description:
        'Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false.',
    }),
    flags: { '--fresh-context': 'render in a browser context that no page has used' },
  }),
  cookies: option({
    schema: Type.Array(CookieSchema, {
      maxItems: LIMITS.maxCookies,
      description:
        'Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs.',
    }),
    isOfRequest: true,
    flags: { '--cookie <name=value>': { help: 'cookie to send to the page; repeatable', kind: 'cookies' } },
  }),
  headers: option({
    schema: MapOf(Type.String({ maxLength: LIMITS.maxHeaderBytes }), {
      maxProperties: LIMITS.maxHeaders,
      description:
        'Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.',
      examples: [{ 'Accept-Language': 'de' }],
    }),
    flags: { '--header <name: value>': { help: 'header to send to the page; repeatable', kind: 'headers' } },
  }),
  profile: option({
    schema: Type.Unsafe<string | ProfileChoice>({
      description:
        'Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.',
      'x-expected': 'the id of a profile, such as "prof_01jd…", or an object {id, save}',
      examples: ['prof_01jd8x0000000000000000000'],
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 100 },
        Type.Object(
          {
            id: Type.String({ minLength: 1, maxLength: 100 }),
            save: Type.Optional(
              Type.Boolean({
                description: 'Store what the page leaves in the session. Default true.',
                'x-default': true,
              }),
            ),
          },
          { additionalProperties: false },
        ),
      ],
    }),
    reuse: 'noPage',
    excludes: {
      cookies: 'cannot be used with profile, which has its own cookies',
      antiBot: 'cannot be used with profile: a session stays with one browser',
    },
    flags: { '--site-profile <id>': 'fetch with the session of this profile, such as prof_01jd…' },
  }),
  maxCredits: option({
    schema: Type.Integer({
      minimum: 1,
      description:
        'The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead.',
    }),
    isOfRequest: true,
    reuse: 'anyPage',
  }),
  timeout: option({
    schema: Type.Integer({
      minimum: LIMITS.minTimeoutMs,
      maximum: LIMITS.maxTimeoutMs,
      description:
        'Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more.',
    }),
    reuse: 'anyPage',
    flags: { '--timeout <ms>': 'time for everything about one page' },
  }),
};

type Rows = typeof SCRAPE_OPTIONS;
export type ScrapeOptionName = keyof Rows;

/** Names and rows of the options. */
export const SCRAPE_OPTION_ROWS = Object.entries(SCRAPE_OPTIONS) as readonly [ScrapeOptionName, OptionRow][];

/** Schemas of the options. */
export const SCRAPE_OPTION_PROPERTIES = Object.fromEntries(
  SCRAPE_OPTION_ROWS.map(([name, { schema }]) => [name, schema]),
) as { readonly [Name in ScrapeOptionName]: Rows[Name]['schema'] };
