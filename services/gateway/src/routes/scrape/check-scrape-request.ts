import { AppError, type ErrorDetail, type ScrapeOptions, type ScrapeRequest } from '@gleaner/contracts';
import { describeNoProxies, type EgressPolicy, findCookieFaults, findHeaderFaults } from '@gleaner/egress';
import { planSelectors } from '@gleaner/extraction';
import { checkWaitFor } from './check-wait-for.ts';

/** What a request is held against. */
export interface ScrapeRules {
  readonly policy: Pick<EgressPolicy, 'checkUrl'>;
  /** The countries that have proxies. */
  readonly proxyCountries: readonly string[];
}

/**
 * The request as workers get it, its URL normalised. Throws INVALID_URL, INVALID_REQUEST or INVALID_SELECTOR for
 * what could only fail later: nothing is reserved or fetched before.
 */
export function checkScrapeRequest(request: ScrapeRequest, rules: ScrapeRules): ScrapeRequest {
  const { href } = rules.policy.checkUrl(request.url);
  checkScrapeOptions(request, rules);
  return { ...request, url: href };
}

/** Throws INVALID_REQUEST or INVALID_SELECTOR for options that could only fail later, whatever the URL. */
export function checkScrapeOptions(options: ScrapeOptions, rules: ScrapeRules): void {
  const { cookies = [] } = options;
  const details = [...headerFaults(options), ...findCookieFaults(cookies), ...proxyFaults(options, rules)];
  if (details.length > 0) {
    const message = `${details.map((detail) => `${detail.path} ${detail.message}`).join('; ')}.`;
    throw new AppError('INVALID_REQUEST', { message, details });
  }
  if (options.selectors) planSelectors(options.selectors);
  if (typeof options.waitFor === 'string') checkWaitFor(options.waitFor);
}

function headerFaults({ headers, cookies }: ScrapeOptions): ErrorDetail[] {
  return headers ? findHeaderFaults(headers, { hasCookies: cookies !== undefined }) : [];
}

function proxyFaults({ proxy }: ScrapeOptions, { proxyCountries }: ScrapeRules): ErrorDetail[] {
  if (proxy === undefined || proxyCountries.includes(proxy)) return [];
  return [{ path: 'proxy', message: describeNoProxies(proxyCountries) }];
}
