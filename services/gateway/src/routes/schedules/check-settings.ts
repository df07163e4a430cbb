import type { ScheduleSettings } from '@gleaner/contracts';
import { invalidUrls, urlFault, webhookFaults } from '../jobs/check-job-request.ts';
import { checkScrapeOptions, type ScrapeRules } from '../scrape/check-scrape-request.ts';

/**
 * Throws INVALID_URL, INVALID_REQUEST or INVALID_SELECTOR for settings whose every run could only fail. Cron and
 * timezone are the scheduler's to check.
 */
export function checkSettings(settings: ScheduleSettings, rules: ScrapeRules): void {
  const faults = [...urlFault('url', settings.url, rules), ...webhookFaults(settings, rules)];
  if (faults.length > 0) throw invalidUrls(faults);
  checkScrapeOptions(settings, rules);
}
