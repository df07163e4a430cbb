import { defined, type ScrapeRequest, sharesCredentials } from '@gleaner/contracts';
import CachePolicy from 'http-cache-semantics';
import { keepIfFits, packPage } from '../../snapshots/pack-page.ts';
import type { Page, SitePage } from '../page.ts';

/** Most characters of a compressed page that is kept: it has to fit into a message beside a snapshot. */
const MAX_PACKED_CHARACTERS = 1024 * 1024;

/** Returns true for a page that equal requests of the account may take, as far as its response tells. */
export function mayBeReused({ task, url, source, document, warnings }: SitePage): boolean {
  if (task.reuseKey === undefined || document.kind === 'pdf' || source.statusCode !== 200) return false;
  // A warning says what the page lacks; a later request would not get it.
  if (warnings.length > 0) return false;
  return (
    sharesCredentials(new URL(url), new URL(source.finalUrl)) && isStorable(task.request, source.headers)
  );
}

/**
 * Returns whether a private cache may store a response (RFC 9111). How long it stays fresh is up to the `maxAge` of requests,
 * and all headers of a request that a page may vary with are part of its key.
 */
function isStorable({ headers = {} }: ScrapeRequest, ofResponse: Readonly<Record<string, string>>): boolean {
  const request = comparable(headers);
  const response = comparable(ofResponse);
  const asksForFresh = /no-cache/.test(`${request['cache-control']} ${request.pragma}`);
  const variesFreely = (response.vary ?? '').split(',').some((name) => name.trim() === '*');
  if (asksForFresh || variesFreely) return false;
  // The policy stores no answer to a POST without an age, but this one only asks: the method is left out.
  return new CachePolicy(
    { headers: request },
    { status: 200, headers: response },
    { shared: false },
  ).storable();
}

/** Returns headers whose names and values can be compared; browsers put repeated ones on lines of their own. */
function comparable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower = (text: string) => text.toLowerCase().replaceAll('\n', ',');
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [lower(name), lower(value)]));
}

/**
 * Compresses the document with the marks of what a browser does not show, before it is read. Without marks it is the same as the
 * snapshot, if there is one.
 */
export async function packReusable(page: SitePage): Promise<void> {
  const { task, source, wanted, document } = page;
  const { kind, encoding, documentEncoding = encoding } = document;
  if (kind === 'pdf' || task.reuseKey === undefined) return;
  const { hiddenMark } = wanted;
  const pack = (text: string) =>
    packPage(text, { kind, baseUrl: source.finalUrl, encoding: documentEncoding });
  const packed = hiddenMark
    ? await pack(Buffer.from(document.body).toString())
    : (page.packed ?? (await pack(document.decode())));
  page.reusable = { key: task.reuseKey, ...packed, ...defined({ hiddenMark }) };
}

/** Returns the compressed page with the result, if it is what was asked for. */
export function keepReusable({ reusable, found, values }: Page): void {
  const verdict = found.verdict ?? values.verdict;
  if (!reusable || verdict.page !== 'content' || reusable.source.length > MAX_PACKED_CHARACTERS) return;
  if (keepIfFits(reusable, found).snapshot) found.reusable = reusable;
}
