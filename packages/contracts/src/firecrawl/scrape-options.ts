import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { ignored, refused, translated } from './option.ts';

const NO_MODEL = 'No language model does this here.';
const READ_FIELDS = `${NO_MODEL} Read fields with \`selectors\` of \`POST /v1/scrape\`.`;
const text = Type.String({ maxLength: 4096 });
const flag = Type.Boolean();

/** Formats of Firecrawl, by name. */
export const FIRECRAWL_FORMATS = {
  markdown: translated(text, '`{"type": "markdown", "main": true}`'),
  html: translated(text, '`{"type": "html", "main": true}`'),
  rawHtml: translated(text, 'the whole document, by the selector `:root::html`'),
  links: translated(text, '`{"type": "links", "main": true}`, the URLs alone'),
  images: translated(text, '`{"type": "images", "main": true}`, the URLs alone'),
  screenshot: translated(
    text,
    '`screenshot`, returned as a `data:` URL; `fullPage` and `viewport` hold, and `quality` makes it a JPEG',
  ),
  'screenshot@fullPage': translated(text, '`screenshot` of the full page'),
  json: translated(
    text,
    '[`extract`](model.md) with `schema` and `prompt`, where the operator has set up a model; a value that the page does not show is null. A `prompt` alone finds `answers`, a list of texts. Without a model it is left out with a warning, with `markdown` instead if nothing else is asked for',
  ),
  extract: refused('Use the format `json`, which is the same.'),
  deterministicJson: refused(READ_FIELDS),
  rawBase64: refused('Use `download` of `POST /v1/scrape`, which keeps the bytes as a file.'),
  summary: translated(
    text,
    '[`extract`](model.md) of a summary, in a request without `json`; refused where the operator has not set up a model',
  ),
  question: refused(`${NO_MODEL} Use \`markdown\`.`),
  highlights: refused(`${NO_MODEL} Use \`markdown\`.`),
  query: refused(`${NO_MODEL} Use \`markdown\`.`),
  attributes: refused(
    'Use `selectors` of `POST /v1/scrape`, such as `{"ids": "a::attr(id)::all"}`, which return attributes.',
  ),
  changeTracking: ignored(text, 'Left out. Use a schedule (`POST /v1/schedules`), whose runs are compared.'),
  branding: refused('Use `html`, or `selectors` of `POST /v1/scrape`.'),
  product: refused(READ_FIELDS),
  menu: refused(READ_FIELDS),
  audio: refused('Media are not downloaded.'),
  video: refused('Media are not downloaded.'),
};
export type FirecrawlFormat = keyof typeof FIRECRAWL_FORMATS;

/** Actions of Firecrawl, by type. */
export const FIRECRAWL_ACTIONS = {
  wait: translated(text, '`{"waitFor": …}`; a longer time than 10 seconds becomes several steps'),
  click: translated(text, '`{"click": "…"}`; `all: true` is refused: use `repeat` of `POST /v1/scrape`'),
  write: translated(text, '`{"fill": "…", "value": "…"}` of the element that the `click` before it names'),
  press: translated(text, '`{"press": "…"}`'),
  scroll: translated(
    text,
    '`{"scroll": "end"}`, with `in` for a `selector`; `up` presses Home and takes no `selector`',
  ),
  screenshot: refused('Ask for the format `screenshot`, which shows the page after the last action.'),
  scrape: refused('The formats show the page after the last action.'),
  executeJavascript: refused('Scripts of callers do not run in pages; use the other actions.'),
  pdf: refused('Pages are not printed; ask for the format `screenshot`.'),
};
export type FirecrawlActionType = keyof typeof FIRECRAWL_ACTIONS;

const ViewportSchema = Type.Object(
  {
    width: Type.Integer({ minimum: 200, maximum: 2560 }),
    height: Type.Integer({ minimum: 200, maximum: 2560 }),
  },
  { additionalProperties: false },
);

/** A format with options. Options of refused formats are unknown here. */
export interface FirecrawlFormatObject {
  readonly type: FirecrawlFormat;
  readonly fullPage?: boolean;
  readonly quality?: number;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** JSON schema of the format `json`. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly prompt?: string;
}

/** Formats that a language model writes. */
export const FIRECRAWL_MODEL_FORMATS: readonly FirecrawlFormat[] = ['json', 'summary'];

const JSON_PROPERTIES = {
  schema: { type: 'object' },
  prompt: Type.String({ maxLength: LIMITS.maxExtractPromptLength }),
};
const JsonOptionsSchema = Type.Unsafe<Pick<FirecrawlFormatObject, 'schema' | 'prompt'>>({
  type: 'object',
  properties: JSON_PROPERTIES,
});

const FormatSchema = Type.Unsafe<FirecrawlFormat | FirecrawlFormatObject>({
  'x-expected': `one of ${Object.keys(FIRECRAWL_FORMATS).join(', ')}, or an object such as {"type": "markdown"}`,
  anyOf: [
    OneOf(Object.keys(FIRECRAWL_FORMATS)),
    {
      type: 'object',
      required: ['type'],
      properties: {
        type: OneOf(Object.keys(FIRECRAWL_FORMATS)),
        fullPage: flag,
        quality: Type.Integer({ minimum: 1, maximum: 100 }),
        viewport: ViewportSchema,
        ...JSON_PROPERTIES,
      },
    },
  ],
});

/** One step on a page. */
export interface FirecrawlAction {
  readonly type: FirecrawlActionType;
  readonly milliseconds?: number;
  readonly selector?: string;
  readonly text?: string;
  readonly key?: string;
  readonly direction?: 'up' | 'down';
  readonly all?: boolean;
}

const ActionSchema = Type.Unsafe<FirecrawlAction>({
  type: 'object',
  required: ['type'],
  properties: {
    type: OneOf(Object.keys(FIRECRAWL_ACTIONS)),
    milliseconds: Type.Integer({ minimum: 1, maximum: LIMITS.maxWaitForMs }),
    /** Empty where it is not set. */
    selector: Type.String({ maxLength: LIMITS.maxPartSelectorLength }),
    text: Type.String({ maxLength: LIMITS.maxActionValueLength }),
    key: Type.String({ minLength: 1, maxLength: 100 }),
    direction: OneOf(['up', 'down']),
    all: flag,
  },
});

const PARSERS = ['pdf', 'image'] as const;

const ParserSchema = Type.Unsafe<
  | (typeof PARSERS)[number]
  | {
      readonly type: (typeof PARSERS)[number];
      readonly mode?: 'fast' | 'auto' | 'ocr';
      readonly maxPages?: number;
      readonly pages?: boolean;
      readonly blocks?: boolean;
      readonly pageMarkers?: boolean;
    }
>({
  'x-expected': '"pdf", or an object such as {"type": "pdf", "maxPages": 10}',
  anyOf: [
    OneOf(PARSERS),
    {
      type: 'object',
      required: ['type'],
      properties: {
        type: OneOf(PARSERS),
        mode: OneOf(['fast', 'auto', 'ocr']),
        maxPages: Type.Integer({ minimum: 1, maximum: 10_000 }),
        pages: flag,
        blocks: flag,
        pageMarkers: flag,
      },
    },
  ],
});

const LocationSchema = Type.Unsafe<{ readonly country?: string; readonly languages?: readonly string[] }>({
  type: 'object',
  properties: {
    country: Type.String({ maxLength: 20 }),
    languages: Type.Array(Type.String({ minLength: 1, maxLength: 35, pattern: '^[\\w-]+$' }), {
      maxItems: 20,
    }),
  },
});

const Selectors = Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 100 });

/** Options that name the caller or its program. */
const LABELS = {
  origin: ignored(Type.Unknown(), 'The name of the calling program is not kept.'),
  integration: ignored(Type.Unknown(), 'The name of the calling program is not kept.'),
  auditMetadata: ignored(Type.Unknown(), 'It is not kept.'),
};

/** Names of options about which no caller needs to be told. */
export const FIRECRAWL_LABELS: readonly string[] = Object.keys(LABELS);

/** Options that every endpoint takes. */
export const FIRECRAWL_COMMON = {
  ...LABELS,
  zeroDataRetention: refused(
    'Results of jobs and traces of scrapes are kept for the time that the operator sets.',
  ),
  threatProtection: refused('Private addresses are always refused; there are no further lists of threats.'),
};

/** Options of a page, of version 2 of the API. */
export const FIRECRAWL_SCRAPE_OPTIONS = {
  formats: translated(Type.Array(FormatSchema, { maxItems: 30 }), '`formats`, see below; default `markdown`'),
  onlyMainContent: translated(flag, '`main` of the formats but `rawHtml`; default true'),
  includeTags: translated(Selectors, '`include` of the formats but `rawHtml`: a list of CSS selectors'),
  excludeTags: translated(Selectors, '`exclude` of the formats but `rawHtml`: a list of CSS selectors'),
  headers: translated(
    MapOf(Type.String({ maxLength: LIMITS.maxHeaderBytes }), { maxProperties: LIMITS.maxHeaders }),
    '`headers`',
  ),
  waitFor: translated(
    Type.Integer({ minimum: 0, maximum: LIMITS.maxWaitForMs }),
    '`waitFor`, before the `actions`; 0 does not wait',
  ),
  mobile: translated(flag, '`screenshot.mobile`: the page is visited as a phone does, with a screenshot'),
  timeout: translated(
    Type.Integer({ minimum: LIMITS.minTimeoutMs, maximum: 600_000 }),
    `\`timeout\`, at most ${LIMITS.maxTimeoutMs}`,
  ),
  parsers: translated(
    Type.Array(ParserSchema, { minItems: 1, maxItems: 10, 'x-expected': 'a list such as ["pdf"]' }),
    '`pdf.maxPages`; PDFs are always read, images never. `image`, `mode: "ocr"`, `pages`, `blocks` and `pageMarkers` are refused',
  ),
  actions: translated(Type.Array(ActionSchema, { maxItems: LIMITS.maxActions }), '`actions`, see below'),
  location: translated(
    LocationSchema,
    '`country`: `proxy`, where the operator has proxies of the country; `languages`: the header Accept-Language',
  ),
  blockAds: translated(flag, '`overlays: "hide"`, which takes consent layers away; default true'),
  proxy: translated(
    OneOf(['basic', 'stealth', 'enhanced', 'auto']),
    '`antiBot: true`, except `basic`, which is the default, and `auto` with `mobile` or `profile`',
  ),
  profile: translated(
    Type.Unsafe<{ readonly name: string; readonly saveChanges?: boolean }>({
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: Type.String({ minLength: 1, maxLength: 100 }), saveChanges: flag },
    }),
    '[`profile`](profiles.md), whose id is the `name`; `saveChanges: false` leaves the stored session as it is',
  ),
  skipTlsVerification: ignored(flag, 'Certificates are always checked.', [false]),
  removeBase64Images: ignored(flag, 'Images in `data:` URLs are always left out of Markdown.', [true]),
  fastMode: ignored(flag, 'Pages are fetched without a browser wherever that suffices.', [false]),
  maxAge: translated(
    Type.Integer({ minimum: 0 }),
    '[`maxAge`](cache.md), at most 30 days; 0 unless it is sent, where Firecrawl takes pages of up to two days. Pages of crawls are always fetched',
  ),
  storeInCache: translated(
    flag,
    '`false` leaves `maxAge` out, so that the page is fetched and not kept; `true` keeps it only with `maxAge`',
  ),
  minAge: refused('Use `maxAge`: a page that is too old is fetched.'),
  lockdown: refused('A page that is not kept is always fetched.'),
  onlyCleanContent: refused(`${NO_MODEL} Use \`excludeTags\`.`),
  redactPII: refused(`${NO_MODEL} Use \`excludeTags\` for parts that must not be returned.`),
  agent: refused(`${NO_MODEL} Use \`actions\`.`),
  domainTools: ignored(flag, 'There is no directory of tools.', [false]),
  toolDetail: ignored(text, 'There is no directory of tools.'),
  useMock: refused('It serves tests of Firecrawl itself.'),
  ...FIRECRAWL_COMMON,
};

/** Options of a page that only version 1 of the API has. */
export const FIRECRAWL_V1_SCRAPE_OPTIONS = {
  ...FIRECRAWL_SCRAPE_OPTIONS,
  parsePDF: ignored(flag, 'PDFs are always read.', [true]),
  extract: refused(READ_FIELDS),
  jsonOptions: translated(JsonOptionsSchema, '`schema` and `prompt` of the format `json`'),
  changeTrackingOptions: ignored(Type.Unknown(), FIRECRAWL_FORMATS.changeTracking.note),
};

const NOT_FETCHED = 'Nothing is fetched.';
const NOT_KEPT = 'Files are not kept.';

/** Options of `POST /parse`, which are JSON in the field `options` of the upload. */
export const FIRECRAWL_PARSE = {
  formats: translated(
    FIRECRAWL_SCRAPE_OPTIONS.formats.schema,
    '`formats`, as for `/scrape`; default `markdown`. Screenshots, `json` and `summary` are refused',
  ),
  onlyMainContent: FIRECRAWL_SCRAPE_OPTIONS.onlyMainContent,
  includeTags: FIRECRAWL_SCRAPE_OPTIONS.includeTags,
  excludeTags: FIRECRAWL_SCRAPE_OPTIONS.excludeTags,
  parsers: FIRECRAWL_SCRAPE_OPTIONS.parsers,
  removeBase64Images: FIRECRAWL_SCRAPE_OPTIONS.removeBase64Images,
  timeout: ignored(FIRECRAWL_SCRAPE_OPTIONS.timeout.schema, 'A file is read within 20 seconds.'),
  headers: ignored(FIRECRAWL_SCRAPE_OPTIONS.headers.schema, NOT_FETCHED),
  proxy: ignored(OneOf(['basic', 'auto']), NOT_FETCHED),
  skipTlsVerification: ignored(FIRECRAWL_SCRAPE_OPTIONS.skipTlsVerification.schema, NOT_FETCHED, [false]),
  blockAds: ignored(FIRECRAWL_SCRAPE_OPTIONS.blockAds.schema, NOT_FETCHED, [true, false]),
  fastMode: ignored(FIRECRAWL_SCRAPE_OPTIONS.fastMode.schema, NOT_FETCHED, [true, false]),
  maxAge: ignored(FIRECRAWL_SCRAPE_OPTIONS.maxAge.schema, NOT_KEPT, [0]),
  storeInCache: ignored(FIRECRAWL_SCRAPE_OPTIONS.storeInCache.schema, NOT_KEPT, [true, false]),
  redactPII: FIRECRAWL_SCRAPE_OPTIONS.redactPII,
  useMock: FIRECRAWL_SCRAPE_OPTIONS.useMock,
  ...FIRECRAWL_COMMON,
};
