import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Type } from '../type.ts';
import { type Engine, isOn, needOf, type OptionRow } from './option.ts';
import {
  type ProfileChoice,
  SCRAPE_OPTION_PROPERTIES,
  SCRAPE_OPTION_ROWS,
  type ScrapeOptionName,
} from './scrape-options.ts';

/** The body of `POST /v1/scrape`. */
export const ScrapeRequestSchema = Type.Object(
  {
    url: Type.String({
      description: 'The page: an absolute http or https URL.',
      examples: ['https://example.com/'],
    }),
    ...SCRAPE_OPTION_PROPERTIES,
    stepScreenshots: Type.Optional(
      Type.Boolean({
        description: `Return a small image of the window after each of the first ${LIMITS.maxStepScreenshots} steps of \`actions\`, as \`stepScreenshots\` of the response or of the error, to see what they do. Default false.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type ScrapeRequest = Static<typeof ScrapeRequestSchema>;

/** Every option except the URL. */
export type ScrapeOptions = Omit<ScrapeRequest, 'url'>;

/** Returns the profile that a request uses. */
export function profileOf({ profile }: Pick<ScrapeOptions, 'profile'>): Required<ProfileChoice> | undefined {
  if (profile === undefined) return undefined;
  return typeof profile === 'string' ? { id: profile, save: true } : { save: true, ...profile };
}

const NEEDY = SCRAPE_OPTION_ROWS.filter(([, { needs }]) => needs !== undefined);

/** Returns the names of the options that need a browser: at once, or after a plain fetch as well. */
export function browserOptionsOf(options: ScrapeOptions): ScrapeOptionName[] {
  return NEEDY.filter(([name, row]) => BROWSER_NEEDS.has(needOf(row, options[name]))).map(([name]) => name);
}

const BROWSER_NEEDS: ReadonlySet<unknown> = new Set(['browser', 'both']);

/** Returns the names of the options about reading a page, except options that need a browser. */
export function readingOptionsOf(options: ScrapeOptions): ScrapeOptionName[] {
  return SCRAPE_OPTION_ROWS.filter(([name, row]) => {
    const value = options[name];
    return row.reads && isOn(row, value) && !BROWSER_NEEDS.has(needOf(row, value));
  }).map(([name]) => name);
}

/** Returns the options that others exclude, with the messages of their errors. */
export function findExcludedOptions(
  options: ScrapeOptions,
): { readonly path: string; readonly message: string }[] {
  return SCRAPE_OPTION_ROWS.filter(([name, row]) => row.excludes && isOn(row, options[name])).flatMap(
    ([, { excludes = {} }]) =>
      SCRAPE_OPTION_ROWS.flatMap(([path, row]) => {
        const message = excludes[path];
        return message !== undefined && isOn(row, options[path]) ? [{ path, message }] : [];
      }),
  );
}

/** Returns the engine that a request starts with. */
export function engineFor(options: ScrapeOptions): Engine {
  return NEEDY.some(([name, row]) => needOf(row, options[name]) === 'browser') ? 'browser' : 'http';
}

/** Returns whether no browser can do what is asked for: they send no methods and bodies, and keep no files. */
export function needsPlainFetch(options: ScrapeOptions): boolean {
  return NEEDY.some(([name, row]) => needOf(row, options[name]) === 'http');
}

/** Returns whether a browser may get the page: at once, or after a plain fetch. */
export function mayRender(options: ScrapeOptions): boolean {
  if (engineFor(options) === 'browser') return true;
  return SCRAPE_OPTION_ROWS.some(([name, row]) => canRender(row, options[name])) && !needsPlainFetch(options);
}

function canRender(row: OptionRow, value: unknown): boolean {
  return needOf(row, value) === 'both' || (row.mayRender === true && isOn(row, value));
}

/** Returns the whole time budget of a request, in milliseconds. */
export function timeoutMsOf(options: ScrapeOptions): number {
  if (options.timeout !== undefined) return options.timeout;
  const forPage = mayRender(options) ? LIMITS.defaultBrowserTimeoutMs : LIMITS.defaultTimeoutMs;
  return options.extract ? forPage + LIMITS.maxModelMs : forPage;
}
