import { type ErrorDetail, type ScheduleSettings, urlsOf } from '@gleaner/contracts';
import { findUrlError, findUrlErrors, findWebhookError, requireValidUrls } from '../check-urls.ts';
import { type CrawlRules, checkCrawl, isCrawl } from '../jobs/crawl/check-crawl.ts';
import { findScheduleComparisonErrors } from '../jobs/crawl/find-crawl-errors.ts';
import { checkScrapeOptions, type ScrapeRules } from '../scrape/check-scrape-request.ts';

/** Returns the error of a body with a status, with the routes to change it. */
export function findStatusErrors(body: unknown): ErrorDetail[] {
  const isGiven = typeof body === 'object' && body !== null && 'status' in body;
  const message = 'is changed by POST /v1/schedules/{id}/pause and POST /v1/schedules/{id}/resume';
  return isGiven ? [{ path: 'status', message }] : [];
}

/** Checks the settings whose every run would fail otherwise; the scheduler checks cron and timezone. */
export async function checkSettings(
  settings: ScheduleSettings,
  rules: ScrapeRules & CrawlRules,
): Promise<void> {
  requireValidUrls([...(await findPageErrors(settings, rules)), ...findWebhookError(settings, rules)]);
  checkScrapeOptions(settings, rules);
  const request = { ...settings, urls: urlsOf(settings) };
  if (isCrawl(request)) await checkCrawl(request, rules, findScheduleComparisonErrors(request.crawl));
}

async function findPageErrors({ url, urls = [] }: ScheduleSettings, rules: ScrapeRules) {
  return url === undefined ? await findUrlErrors(urls, rules) : findUrlError('url', url, rules);
}
