import { cutText, defined, type FoundPage, type SearchWarning, takingTurns } from '@gleaner/contracts';
import type { UrlRules } from '../check-urls.ts';
import type { SearchCategory } from './searxng.ts';

/** Choice among the results of search engines. */
export interface ResultChoice {
  readonly limit: number;
  /** The only host that results may be of, as it stands in URLs. */
  readonly host?: string | undefined;
  readonly category?: SearchCategory | undefined;
}

/** A page that was found, with its image in a search of images. */
export interface FoundResult extends FoundPage {
  readonly imageUrl?: string;
}

/** Reasons to leave out a result, in the words of the warning. */
const REASONS = {
  malformed: 'no URL',
  scheme: 'not http or https',
  refused: 'an address that may not be requested, such as one of a private network',
  site: 'another site',
  duplicate: 'a duplicate',
} as const;
type Reason = keyof typeof REASONS;

/** Results with pages to scrape, and warnings about the rest. */
export interface ReadResults {
  readonly results: readonly FoundResult[];
  readonly warnings: readonly SearchWarning[];
}

/** Reads the records of SearXNG, which may hold anything, up to the limit. Other calls get their turns. */
export async function readResults(
  records: readonly unknown[],
  { limit, host, category }: ResultChoice,
  rules: UrlRules,
): Promise<ReadResults> {
  const found = new Map<string, FoundResult>();
  const leftOut = new Map<Reason, number>();
  const takeTurns = takingTurns();
  for (const record of records) {
    if (found.size === limit) break;
    await takeTurns();
    const {
      url: text,
      title,
      content,
      publishedDate,
      img_src: image,
    } = Object(record) as Record<string, unknown>;
    const url = readUrl(text, host, rules);
    const imageUrl = category === 'images' ? readUrl(image, undefined, rules) : undefined;
    const key = url instanceof URL ? withoutFragment(imageUrl instanceof URL ? imageUrl : url) : '';
    const unread = [url, imageUrl].find((part) => typeof part === 'string');
    const reason = unread ?? (found.has(key) ? 'duplicate' : undefined);
    if (reason !== undefined) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    else
      found.set(key, {
        url: (url as URL).href,
        title: readText(title, MAX_TITLE),
        snippet: readText(content, MAX_SNIPPET),
        ...defined({ publishedAt: readDate(publishedDate), imageUrl: hrefOf(imageUrl) }),
      });
  }
  return { results: [...found.values()], warnings: [...leftOut].map(describe) };
}

/** Returns the URL of a result, or the reason to leave it out. */
function readUrl(text: unknown, host: string | undefined, { policy }: UrlRules): URL | Reason {
  const parsed = typeof text === 'string' ? URL.parse(text) : null;
  if (!parsed) return 'malformed';
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return 'scheme';
  try {
    const url = policy.checkUrl(parsed.href);
    const isOfSite = host === undefined || url.hostname === host || url.hostname.endsWith(`.${host}`);
    return isOfSite ? url : 'site';
  } catch {
    return 'refused';
  }
}

function hrefOf(url: URL | string | undefined): string | undefined {
  return url instanceof URL ? url.href : undefined;
}

function withoutFragment({ href, hash }: URL): string {
  return hash === '' ? href : href.slice(0, -hash.length);
}

function describe([reason, count]: readonly [Reason, number]): SearchWarning {
  const subject = count === 1 ? '1 result was' : `${count} results were`;
  return { code: 'RESULTS_LEFT_OUT', message: `${subject} left out: ${REASONS[reason]}.` };
}

const MAX_TITLE = 500;
const MAX_SNIPPET = 2000;

/** Returns a text in one line, without control characters. */
function readText(value: unknown, maxChars: number): string {
  if (typeof value !== 'string') return '';
  // White space is cut as well, so that a text keeps enough of its words.
  const line = cutText(value, 2 * maxChars)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return cutText(line, maxChars);
}

/** Returns a date of SearXNG, which has no time zone if the engine names none. */
function readDate(value: unknown): string | undefined {
  const [, day = '', time = '00:00:00', zone = 'Z'] =
    DATE.exec(typeof value === 'string' ? value.slice(0, 40) : '') ?? [];
  const ms = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:\d{2})?)?$/;
