import {
  type Action,
  defined,
  type ErrorDetail,
  FIRECRAWL_ACTIONS,
  FIRECRAWL_FORMATS,
  FIRECRAWL_MODEL_FORMATS,
  FIRECRAWL_PARSE,
  FIRECRAWL_SCRAPE_OPTIONS,
  FIRECRAWL_V1_SCRAPE_OPTIONS,
  type FirecrawlAction,
  type FirecrawlFormat,
  type FirecrawlFormatObject,
  type FirecrawlValues,
  type Format,
  LIMITS,
  type ParseCommand,
  RAW_HTML_FIELD,
  type ScrapeOptions,
} from '@gleaner/contracts';
import { ignoredIn, NotSupported, refusedIn } from './not-supported.ts';
import { isOfModel, translateModelFormats } from './translate-model.ts';

/** Options of a page in Firecrawl's words, of either version. */
export type FirecrawlPage = FirecrawlValues<typeof FIRECRAWL_V1_SCRAPE_OPTIONS>;

/** Options in Gleaner's words, with warnings about options without effect. */
export interface Translation<Options> {
  readonly options: Options;
  readonly warnings: readonly string[];
}

/** Settings of the operator that decide about pages. */
export interface TranslationRules {
  /** Undefined without a language model. */
  readonly model?: object | undefined;
  readonly proxyCountries: readonly string[];
}

/**
 * Translates the options of a page. Throws NotSupported with everything that has no equal. Pages are rendered where they are
 * empty without scripts, as Firecrawl's are.
 */
export function translatePage(
  page: FirecrawlPage,
  { proxyCountries, model }: TranslationRules,
  at = '',
): Translation<ScrapeOptions> {
  const asked = {
    formats: (page.formats ?? []).map(formatOf),
    jsonOptions: page.jsonOptions,
    hasModel: model !== undefined,
  };
  const ofModel = translateModelFormats(asked, at);
  requireSupported(page, at, ofModel.errors);
  const { waitFor = 0, timeout, headers, location, proxy, blockAds = true, profile } = page;
  const { maxAge = 0, storeInCache = true } = page;
  const country = location?.country?.toLowerCase();
  const hasProxy = country !== undefined && proxyCountries.includes(country);
  const isPlain = proxy === 'auto' && (page.mobile === true || profile !== undefined);
  const actions = [
    ...(page.actions?.length && waitFor > 0 ? waits(waitFor) : []),
    ...translateActions(page.actions ?? []),
  ];
  const options: ScrapeOptions = {
    ...translateFormats(page, ofModel.options),
    render: 'auto',
    ...(blockAds && { overlays: 'hide' as const }),
    ...(actions.length > 0 && { actions }),
    ...(actions.length === 0 && waitFor > 0 && { waitFor }),
    ...(timeout !== undefined && { timeout: Math.min(timeout, LIMITS.maxTimeoutMs) }),
    ...(maxAge > 0 && storeInCache && { maxAge: Math.min(maxAge, LIMITS.maxReuseMs) }),
    ...withLanguages(headers, location?.languages),
    ...(hasProxy && { proxy: country }),
    ...(proxy !== undefined && proxy !== 'basic' && !isPlain && { antiBot: true }),
    ...(profile && { profile: { id: profile.name, save: profile.saveChanges ?? true } }),
    ...translateParsers(page.parsers),
  };
  const warnings = [
    ...ignoredIn(page, FIRECRAWL_V1_SCRAPE_OPTIONS),
    ...ignoredFormatsIn(page),
    ...ofModel.warnings,
    ...(timeout !== undefined && timeout > LIMITS.maxTimeoutMs
      ? [`timeout is ${LIMITS.maxTimeoutMs}, the longest here.`]
      : []),
    ...(isPlain ? ['proxy has no effect with mobile or profile: a disguise would contradict both.'] : []),
    ...(country !== undefined && !hasProxy
      ? [`location.country has no effect: no proxy of ${country} is set.`]
      : []),
  ];
  return { options, warnings };
}

/** Options of a file in Firecrawl's words. */
type FirecrawlFile = FirecrawlValues<typeof FIRECRAWL_PARSE>;

/** Formats that only a page has. */
const NOT_OF_FILES: readonly FirecrawlFormat[] = [
  'screenshot',
  'screenshot@fullPage',
  ...FIRECRAWL_MODEL_FORMATS,
];

/** Translates the options of a file. Throws NotSupported with everything that has no equal. */
export function translateFile(
  file: FirecrawlFile,
  rules: TranslationRules,
): Translation<ParseCommand['request']> {
  const details = [
    ...refusedIn(file, FIRECRAWL_PARSE),
    ...(file.formats ?? []).flatMap((format, index) =>
      NOT_OF_FILES.includes(formatOf(format).type)
        ? [unsupported(`formats.${index}`, 'No browser shows a file, and no model reads it.')]
        : [],
    ),
  ];
  if (details.length > 0) throw new NotSupported(details);
  const { formats, onlyMainContent, includeTags, excludeTags, parsers } = file;
  const page = defined({ formats, onlyMainContent, includeTags, excludeTags, parsers });
  const { options, warnings } = translatePage(page, rules);
  return {
    options: defined({ formats: options.formats, selectors: options.selectors, pdf: options.pdf }),
    warnings: [...ignoredIn(file, FIRECRAWL_PARSE), ...warnings],
  };
}

/** Throws NotSupported with everything in the options of a page that has no equal. */
function requireSupported(page: FirecrawlPage, at: string, errors: readonly ErrorDetail[]): void {
  const { formats = [], actions = [], parsers = [] } = page;
  const details = [
    ...refusedIn(page, FIRECRAWL_V1_SCRAPE_OPTIONS, at),
    ...errors,
    ...formats.flatMap((format, index) => {
      const { fate, note } = FIRECRAWL_FORMATS[formatOf(format).type];
      return fate === 'refused' ? [unsupported(`${at}formats.${index}`, note)] : [];
    }),
    ...actions.flatMap((action, index) => actionErrors(action, actions[index - 1], `${at}actions.${index}`)),
    ...parsers.flatMap((parser, index) =>
      isRefusedParser(typeof parser === 'string' ? { type: parser } : parser)
        ? [unsupported(`${at}parsers.${index}`, FIRECRAWL_SCRAPE_OPTIONS.parsers.note)]
        : [],
    ),
    ...(page.excludeTags ?? []).flatMap((tag, index) =>
      tag.startsWith('*') ? [unsupported(`${at}excludeTags.${index}`, 'Use a CSS selector.')] : [],
    ),
  ];
  if (details.length > 0) throw new NotSupported(details);
}

function isRefusedParser(parser: Exclude<NonNullable<FirecrawlPage['parsers']>[number], string>): boolean {
  const { type, mode, pages = false, blocks = false, pageMarkers = false } = parser;
  return type === 'image' || mode === 'ocr' || pages || blocks || pageMarkers;
}

/** Returns a warning for each format that is left out. */
function ignoredFormatsIn({ formats = [] }: FirecrawlPage): string[] {
  const types = new Set(formats.map((format) => formatOf(format).type));
  return [...types].flatMap((type) => {
    const { fate, note } = FIRECRAWL_FORMATS[type];
    return fate === 'ignored' ? [`The format ${type} has no effect: ${note}`] : [];
  });
}

function unsupported(path: string, note: string): ErrorDetail {
  return { path, message: `is not supported. ${note}` };
}

/** Returns the errors of a step that the schema accepts. */
function actionErrors(
  { type, selector, milliseconds, text, key, direction, all }: FirecrawlAction,
  before: FirecrawlAction | undefined,
  path: string,
): ErrorDetail[] {
  const { fate, note } = FIRECRAWL_ACTIONS[type];
  if (fate === 'refused') return [unsupported(path, note)];
  const missing = (name: string) => [{ path: `${path}.${name}`, message: 'is required' }];
  if (type === 'wait' && !selector === (milliseconds === undefined))
    return [{ path, message: 'must have either milliseconds or selector' }];
  if (type === 'click' && !selector) return missing('selector');
  if (type === 'write' && text === undefined) return missing('text');
  if (type === 'press' && key === undefined) return missing('key');
  const isRefused =
    (type === 'click' && all === true) ||
    (type === 'write' && before?.type !== 'click') ||
    (type === 'scroll' && direction === 'up' && Boolean(selector));
  return isRefused ? [unsupported(path, `It becomes ${note}.`)] : [];
}

function translateActions(actions: readonly FirecrawlAction[]): Action[] {
  return actions.flatMap(
    ({ type, selector = '', milliseconds, text = '', key = '', direction }, index): Action[] => {
      switch (type) {
        case 'wait':
          return milliseconds === undefined ? [{ waitFor: selector }] : waits(milliseconds);
        case 'click':
          return [{ click: selector }];
        case 'write':
          return [{ fill: actions[index - 1]?.selector ?? '', value: text }];
        case 'press':
          return [{ press: KEYS[key.toLowerCase()] ?? key }];
        case 'scroll':
          if (direction === 'up') return [{ press: 'Home' }];
          return [{ scroll: 'end', ...(selector !== '' && { in: selector }) }];
        default:
          return [];
      }
    },
  );
}

/** Names that Firecrawl's examples give keys, in lower case. */
const KEYS: Readonly<Record<string, string>> = {
  enter: 'Enter',
  return: 'Enter',
  tab: 'Tab',
  escape: 'Escape',
  esc: 'Escape',
  space: 'Space',
  backspace: 'Backspace',
  delete: 'Delete',
  ' ': 'Space',
};

/** Returns steps that wait for a time together. */
function waits(milliseconds: number): Action[] {
  const whole = Array.from({ length: Math.floor(milliseconds / LIMITS.maxStepMs) }, () => LIMITS.maxStepMs);
  const rest = milliseconds % LIMITS.maxStepMs;
  return [...whole, ...(rest > 0 ? [rest] : [])].map((waitFor) => ({ waitFor }));
}

/** Formats read from a part of the page here, and from the main content by Firecrawl. */
const PART_FORMATS = ['markdown', 'html', 'links', 'images'] as const;

function translateFormats(
  page: FirecrawlPage,
  ofModel: Pick<ScrapeOptions, 'extract'>,
): Pick<ScrapeOptions, 'formats' | 'selectors' | 'screenshot' | 'extract'> {
  const { formats = [], onlyMainContent = true, includeTags = [], excludeTags = [], mobile = false } = page;
  const known = formats
    .map(formatOf)
    .filter((format) => FIRECRAWL_FORMATS[format.type].fate === 'translated' && !isOfModel(format));
  const isWhole = known.length === 0 && ofModel.extract === undefined;
  const wanted = isWhole ? [{ type: 'markdown' as const }] : known;
  const part = {
    ...(onlyMainContent && { main: true }),
    ...(includeTags.length > 0 && { include: includeTags.join(', ') }),
    ...(excludeTags.length > 0 && { exclude: excludeTags.join(', ') }),
  };
  const parts = PART_FORMATS.filter((name) => wanted.some(({ type }) => type === name));
  const isRaw = wanted.some(({ type }) => type === 'rawHtml');
  const shot = wanted.find(({ type }) => type === 'screenshot' || type === 'screenshot@fullPage');
  const screenshot = shot ?? (mobile ? { type: 'screenshot' as const } : undefined);
  return {
    formats: [...parts.map((type): Format => ({ type, ...part })), 'metadata'],
    ...ofModel,
    ...(isRaw && { selectors: { [RAW_HTML_FIELD]: ':root::html' } }),
    ...(screenshot && { screenshot: screenshotOf(screenshot, mobile) }),
  };
}

function screenshotOf(
  { type, fullPage = type === 'screenshot@fullPage', quality, viewport }: FirecrawlFormatObject,
  mobile: boolean,
): NonNullable<ScrapeOptions['screenshot']> {
  return {
    fullPage,
    ...(mobile && { mobile }),
    ...(viewport && { viewport: { ...viewport } }),
    ...(quality !== undefined && { format: 'jpeg' as const, quality }),
  };
}

/** Returns a format as an object. */
function formatOf(format: NonNullable<FirecrawlPage['formats']>[number]): FirecrawlFormatObject {
  return typeof format === 'string' ? { type: format } : format;
}

function withLanguages(
  headers: FirecrawlPage['headers'] = {},
  languages: readonly string[] = [],
): Pick<ScrapeOptions, 'headers'> {
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'accept-language');
  const all =
    languages.length > 0 && !isNamed ? { ...headers, 'Accept-Language': languages.join(', ') } : headers;
  return Object.keys(all).length > 0 ? { headers: { ...all } } : {};
}

function translateParsers(parsers: FirecrawlPage['parsers'] = []): Pick<ScrapeOptions, 'pdf'> {
  const [maxPages] = parsers.flatMap((parser) =>
    typeof parser === 'object' && parser.maxPages !== undefined ? [parser.maxPages] : [],
  );
  return maxPages === undefined ? {} : { pdf: { maxPages: Math.min(maxPages, LIMITS.maxPdfPages) } };
}
