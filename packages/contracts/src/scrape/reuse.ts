import { createHash } from 'node:crypto';
import { isOn, type OptionRow } from './option.ts';
import { isPlainGet, mayRepeat, methodOf } from './request-body.ts';
import { SCRAPE_OPTION_ROWS } from './scrape-options.ts';
import type { ScrapeRequest } from './scrape-request.ts';

const ROWS: ReadonlyMap<string, OptionRow> = new Map(SCRAPE_OPTION_ROWS);
const FRESH_ROWS = SCRAPE_OPTION_ROWS.filter(([, { reuse }]) => reuse === 'noPage');

/**
 * Returns the key of a page among the pages that are kept for `maxAge`; undefined if the page must be fetched. Every field of
 * the request is part of the key, unless the row of its option says that the page is the same for every value.
 */
export function reuseKeyOf(request: ScrapeRequest, accountId: string): string | undefined {
  const url = URL.parse(request.url)?.href;
  if (!request.maxAge || !isSearch(request) || url === undefined) return undefined;
  if (FRESH_ROWS.some(([name, row]) => isOn(row, request[name]))) return undefined;
  const { headers = {}, ...fields } = request;
  const shaping = Object.entries({ ...fields, url }).filter(([name, value]) => shapesPage(name, value));
  const key = [accountId, byName(Object.entries(headers).map(lowerCased)), byName(shaping)];
  return createHash('sha256').update(JSON.stringify(key)).digest('base64url');
}

/** Returns whether a request only asks for something, as a search by POST does that may be repeated. */
function isSearch(request: ScrapeRequest): boolean {
  return isPlainGet(request) || (methodOf(request) === 'POST' && mayRepeat(request));
}

function shapesPage(name: string, value: unknown): boolean {
  const { reuse, off } = ROWS.get(name) ?? {};
  return reuse !== 'anyPage' && value !== undefined && (off === undefined || value !== off);
}

type Entry = readonly [name: string, value: unknown];

function lowerCased([name, value]: Entry): Entry {
  return [name.toLowerCase(), value];
}

/** Sorts entries by name. Equal names stay in order: the last one is sent. */
function byName(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
}
