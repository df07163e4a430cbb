import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Type } from '../type.ts';
import { isPlainGet } from './request-body.ts';
import { type ProfileChoice, SCRAPE_OPTION_PROPERTIES } from './scrape-options.ts';

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

/** Engine that fetches a page: a plain HTTP client, or a browser. */
export type Engine = 'http' | 'browser';

/** Returns the profile that a request uses. */
export function profileOf({ profile }: Pick<ScrapeOptions, 'profile'>): Required<ProfileChoice> | undefined {
  if (profile === undefined) return undefined;
  return typeof profile === 'string' ? { id: profile, save: true } : { save: true, ...profile };
}

/** Returns the names of the options that have a page rendered: some imply it. */
export function renderingOptionsOf(options: ScrapeOptions): string[] {
  const { render, actions = [], screenshot, waitFor, frames, capture, overlays } = options;
  const isSet = {
    render: render === true,
    actions: actions.length > 0,
    waitFor: waitFor !== undefined,
    screenshot: Boolean(screenshot),
    frames: frames === true,
    capture: capture !== undefined,
    overlays: overlays === 'accept' || overlays === 'reject',
  };
  return Object.entries(isSet).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
}

/** Returns the engine that a request starts with. */
export function engineFor(options: ScrapeOptions): Engine {
  return renderingOptionsOf(options).length > 0 ? 'browser' : 'http';
}

/** Returns whether no browser can do what is asked for: they send no methods and bodies, and keep no files. */
export function needsPlainFetch(options: ScrapeOptions): boolean {
  return options.download === true || !isPlainGet(options);
}

/** Returns whether a browser may get the page: at once, or after a plain fetch. */
export function mayRender(options: ScrapeOptions): boolean {
  if (engineFor(options) === 'browser') return true;
  return (options.render === 'auto' || options.antiBot === true) && !needsPlainFetch(options);
}

/** Returns the whole time budget of a request, in milliseconds. */
export function timeoutMsOf(options: ScrapeOptions): number {
  if (options.timeout !== undefined) return options.timeout;
  return mayRender(options) ? LIMITS.defaultBrowserTimeoutMs : LIMITS.defaultTimeoutMs;
}
