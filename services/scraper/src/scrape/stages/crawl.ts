import type { PageCrawl } from '@gleaner/contracts';
import { urlKey } from '@gleaner/frontier';
import { notModified, redirectedTo } from '../../classify/no-page.ts';
import { conditionsOf, planFindings as plan, readValidators } from '../../crawl/read-findings.ts';
import type { Page, PlainPage, RenderedPage, SitePage } from '../page.ts';

/** Keeps redirects within the page of a crawl: another page of the crawl is fetched in its own turn. */
export function openCrawl(page: SitePage): void {
  const { crawl } = page.task;
  if (!crawl) return;
  const isSamePage = createSamePage(page.url, crawl);
  // Whether a redirect leads to a login is known once it is followed.
  if (page.profile) page.mayEndAt = isSamePage;
  else page.mayLeadTo = isSamePage;
}

/** Returns a function that tells whether a URL is only another spelling of the page at this one, by the rules of its crawl. */
function createSamePage(url: string, { filter }: PageCrawl): (other: URL) => boolean {
  const own = URL.parse(url);
  // An invalid URL is not fetched anyway.
  const key = own && urlKey(own, filter.ignoreQuery);
  return (other) => urlKey(other, filter.ignoreQuery) === key;
}

/** Asks for the page only if it has changed since the run before. */
export function sendConditions({ task, outgoing }: PlainPage): void {
  if (task.crawl?.validators) outgoing.conditions = conditionsOf(task.crawl.validators);
}

/** Ends a page that redirects to another one, or has not changed. */
export function refuseNoPage({ response, outgoing, url }: PlainPage): void {
  if (response.redirectsTo !== undefined) throw redirectedTo(response.redirectsTo, url);
  if (outgoing.conditions && response.statusCode === 304) throw notModified(url);
}

/** Keeps the headers by which the page of a crawl is asked for the next time. */
export function keepValidators(page: PlainPage): void {
  const { redirects, headers } = page.response;
  // A validator belongs to the URL that sent it.
  if (redirects.length === 0) page.validators = readValidators(headers);
}

/** Has the links of the page read, with the routes of scripts where they can run. */
export function planFindings(page: PlainPage | RenderedPage): void {
  const { task, url, engine, source } = page;
  if (!task.crawl) return;
  page.wanted.findings = plan(task.crawl, {
    url,
    headers: source.headers,
    keepsRoutes: engine === 'browser',
  });
}

/** Ends a page whose session led to another one. */
export function refuseOtherEnd({ mayEndAt, source, url }: Page): void {
  const { finalUrl, reachedUrl = finalUrl } = source;
  if (mayEndAt && !mayEndAt(new URL(reachedUrl))) throw redirectedTo(reachedUrl, url);
}

/** Returns the links with the result. */
export function returnFindings({ values, found, validators }: Page): void {
  if (values.crawl) found.crawl = { ...values.crawl, ...validators };
}
