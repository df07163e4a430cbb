import type { Budget } from '../budget.ts';

/** Cost of parsing a URL, and the characters of the URL and its base for one step more. */
const STEPS_PER_URL = 32;
const CHARS_PER_STEP = 8;

/** Parses a URL relative to the base; null if it is not valid. A page can have a long base, which is parsed each time. */
export function parseUrl(url: string, base: string, budget: Budget): URL | null {
  budget.spend(STEPS_PER_URL + Math.ceil((url.length + base.length) / CHARS_PER_STEP));
  return URL.parse(url, base);
}
