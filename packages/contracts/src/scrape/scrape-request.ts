import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Type } from '../type.ts';
import { SCRAPE_OPTION_PROPERTIES } from './scrape-options.ts';

/** The body of `POST /v1/scrape`. */
export const ScrapeRequestSchema = Type.Object(
  {
    url: Type.String({
      description: 'The page: an absolute http or https URL.',
      examples: ['https://example.com/'],
    }),
    ...SCRAPE_OPTION_PROPERTIES,
  },
  { additionalProperties: false },
);
export type ScrapeRequest = Static<typeof ScrapeRequestSchema>;

/** Every option except the URL. */
export type ScrapeOptions = Omit<ScrapeRequest, 'url'>;

/** Engine that fetches a page: a plain HTTP client, or a browser. */
export type Engine = 'http' | 'browser';

/** Returns the engine that a request starts with: `actions`, `waitFor`, `screenshot`, `frames` and clicks on overlays imply rendering. */
export function engineFor(options: ScrapeOptions): Engine {
  const { render, actions = [], screenshot, waitFor, frames, overlays } = options;
  const isClicked = overlays === 'accept' || overlays === 'reject';
  const isRead = screenshot || waitFor !== undefined || frames;
  return render === true || actions.length > 0 || isRead || isClicked ? 'browser' : 'http';
}

/** Returns whether a browser may get the page: at once, or after a plain fetch. */
export function mayRender(options: ScrapeOptions): boolean {
  return engineFor(options) === 'browser' || options.render === 'auto' || options.antiBot === true;
}

/** Returns the whole time budget of a request, in milliseconds. */
export function timeoutMsOf(options: ScrapeOptions): number {
  if (options.timeout !== undefined) return options.timeout;
  return mayRender(options) ? LIMITS.defaultBrowserTimeoutMs : LIMITS.defaultTimeoutMs;
}
