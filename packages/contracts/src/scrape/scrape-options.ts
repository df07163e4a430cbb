import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { ActionsSchema } from './actions.ts';
import { CaptureSchema } from './capture.ts';
import { FormatsSchema, LocaleSchema } from './formats.ts';
import { OVERLAY_ACTIONS } from './overlays.ts';
import { PdfOptionsSchema } from './pdf.ts';
import { REQUEST_PROPERTIES, RepeatableSchema } from './request-body.ts';
import { type ScreenshotOptions, ScreenshotOptionsSchema } from './screenshot.ts';
import { SelectorMapSchema } from './selectors.ts';

/** A cookie to send with the request; `domain` defaults to the target's host, `path` to `/`. */
export const CookieSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 4096 }),
    value: Type.String({ maxLength: 4096 }),
    domain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description:
          'The host that gets the cookie: a name with all its subdomains, or an IP address without brackets, which has ' +
          'none. Defaults to the host of the URL alone. A cookie of another host is sent only where a redirect or the ' +
          'page itself leads there.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: '^/',
        maxLength: 1024,
        'x-expected': 'a path that begins with "/", of at most 1024 characters',
      }),
    ),
    expires: Type.Optional(
      Type.Unsafe<number | string>({
        anyOf: [{ type: 'number' }, { type: 'string', format: 'date-time' }],
        'x-expected': 'seconds since 1970, or an ISO 8601 timestamp',
      }),
    ),
    httpOnly: Type.Optional(Type.Boolean()),
    secure: Type.Optional(Type.Boolean()),
    sameSite: Type.Optional(OneOf(['Strict', 'Lax', 'None'])),
  },
  { additionalProperties: false },
);
export type Cookie = Static<typeof CookieSchema>;

/** Choice of a profile. */
export interface ProfileChoice {
  id: string;
  save?: boolean;
}

/** Every option of a scrape except its URL; jobs and schedules take the same options. */
export const SCRAPE_OPTION_PROPERTIES = {
  selectors: Type.Optional(SelectorMapSchema),
  formats: Type.Optional(FormatsSchema),
  locale: Type.Optional(LocaleSchema),
  ...REQUEST_PROPERTIES,
  repeatable: RepeatableSchema,
  render: Type.Optional(
    Type.Unsafe<boolean | 'auto'>({
      description:
        'Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.',
      'x-expected': 'true, false or "auto"',
      enum: [true, false, 'auto'],
    }),
  ),
  antiBot: Type.Optional(
    Type.Boolean({
      description:
        'When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false.',
    }),
  ),
  proxy: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}$',
      description:
        'Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.',
      examples: ['us'],
      'x-expected': 'a lower-case country code such as "us"',
    }),
  ),
  actions: Type.Optional(ActionsSchema),
  waitFor: Type.Optional(
    Type.Unsafe<string | number>({
      description:
        'A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`.',
      'x-expected': `a CSS selector, or a number of milliseconds from 0 to ${LIMITS.maxWaitForMs}`,
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 4096 },
        { type: 'integer', minimum: 0, maximum: LIMITS.maxWaitForMs },
      ],
    }),
  ),
  screenshot: Type.Optional(
    Type.Unsafe<boolean | ScreenshotOptions>({
      description:
        'Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false.',
      'x-expected': 'true, false or an object such as {"format": "jpeg"}',
      anyOf: [{ type: 'boolean' }, ScreenshotOptionsSchema],
    }),
  ),
  overlays: Type.Optional(
    OneOf(['keep', ...OVERLAY_ACTIONS], {
      description:
        'What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.',
    }),
  ),
  frames: Type.Optional(
    Type.Boolean({
      description: `Read the documents of frames with the page: each follows its \`iframe\` as \`<div data-frame="URL">\`. At most ${LIMITS.maxFrames} frames of 2 MiB each, those in frames counted. Implies \`render\`. Default false.`,
    }),
  ),
  capture: Type.Optional(CaptureSchema),
  pdf: Type.Optional(PdfOptionsSchema),
  download: Type.Optional(
    Type.Boolean({
      description:
        'Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false.',
    }),
  ),
  onSuspect: Type.Optional(
    OneOf(['keep', 'fail'], {
      description:
        'What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.',
    }),
  ),
  snapshot: Type.Optional(
    Type.Boolean({
      description:
        'Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false.',
    }),
  ),
  freshContext: Type.Optional(
    Type.Boolean({
      description:
        'Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false.',
    }),
  ),
  cookies: Type.Optional(
    Type.Array(CookieSchema, {
      maxItems: LIMITS.maxCookies,
      description:
        'Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs.',
    }),
  ),
  headers: Type.Optional(
    MapOf(Type.String({ maxLength: LIMITS.maxHeaderBytes }), {
      maxProperties: LIMITS.maxHeaders,
      description:
        'Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.',
      examples: [{ 'Accept-Language': 'de' }],
    }),
  ),
  profile: Type.Optional(
    Type.Unsafe<string | ProfileChoice>({
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
              Type.Boolean({ description: 'Store what the page leaves in the session. Default true.' }),
            ),
          },
          { additionalProperties: false },
        ),
      ],
    }),
  ),
  maxCredits: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead.',
    }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      minimum: LIMITS.minTimeoutMs,
      maximum: LIMITS.maxTimeoutMs,
      description:
        'Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`.',
    }),
  ),
};
