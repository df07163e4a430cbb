import {
  AppError,
  type ErrorDetail,
  LIMITS,
  type ProfileCheck,
  type ProfileLogin,
  type StorageState,
} from '@gleaner/contracts';
import { explainMissingProxies, findCookieErrors } from '@gleaner/egress';
import { findSelectorError } from '@gleaner/extraction';
import { findUrlPatternError } from '@gleaner/frontier';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import { findUrlError, requireValidUrls } from '../check-urls.ts';
import type { ScrapeRules } from '../scrape/check-scrape-request.ts';
import { findActionErrors, findActionSelectorErrors } from '../scrape/find-action-errors.ts';

/** Settings of a profile as they are given. */
export interface GivenProfile {
  readonly login?: ProfileLogin | null | undefined;
  readonly storageState?: StorageState | undefined;
  readonly proxy?: string | null | undefined;
}

/** Throws INVALID_URL, INVALID_REQUEST or INVALID_SELECTOR for what could only fail at a login or on a page. */
export function checkProfile({ login, storageState, proxy }: GivenProfile, rules: ScrapeRules): void {
  if (login) requireValidUrls(findUrlError('login.url', login.url, rules));
  const details = [
    ...(login ? findActionErrors(login.actions, 'login.actions') : []),
    ...(login ? findPatternErrors(login.check) : []),
    ...(storageState ? findStateErrors(storageState) : []),
    ...(proxy && !rules.proxyCountries.includes(proxy)
      ? [{ path: 'proxy', message: explainMissingProxies(rules.proxyCountries) }]
      : []),
  ];
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  const wrong = login
    ? [...findActionSelectorErrors(login.actions, 'login.actions'), ...findCheckSelectorErrors(login.check)]
    : [];
  if (wrong.length === 0) return;
  throw new AppError('INVALID_SELECTOR', {
    message: summarizeDetails(wrong),
    suggestion: 'Use a selector that document.querySelector accepts, without ::text, ::attr(name) or ::html.',
    details: wrong,
  });
}

function findPatternErrors(check: ProfileCheck): ErrorDetail[] {
  if (!('url' in check)) return [];
  const message = findUrlPatternError(check.url);
  return message === undefined ? [] : [{ path: 'login.check.url', message }];
}

function findCheckSelectorErrors(check: ProfileCheck): ErrorDetail[] {
  return Object.entries(check).flatMap(([name, selector]) => {
    const message = name === 'url' ? undefined : findSelectorError(selector);
    return message === undefined ? [] : [{ path: `login.check.${name}`, message }];
  });
}

/** Finds cookies that a browser would reject, and states over the size limit: every page carries its state. */
function findStateErrors(state: StorageState): ErrorDetail[] {
  const bytes = Buffer.byteLength(JSON.stringify(state));
  if (bytes > LIMITS.maxProfileStateBytes) {
    const message = `must have at most ${LIMITS.maxProfileStateBytes} bytes; it has ${bytes}. Leave out the storage of origins that the login does not need`;
    return [{ path: 'storageState', message }];
  }
  const cookies = state.cookies.map(({ domain, ...cookie }) => ({
    ...cookie,
    // Without a dot it belongs to the host alone, as a cookie without a domain does.
    ...(domain.startsWith('.') && { domain }),
  }));
  const hosts = state.cookies.flatMap(({ domain }, index) =>
    URL.parse(`http://${hostOfDomain(domain)}/`)
      ? []
      : [{ path: `storageState.cookies.${index}.domain`, message: 'is not the name of a host' }],
  );
  return [
    ...findCookieErrors(cookies).map((error) => ({ ...error, path: `storageState.${error.path}` })),
    ...hosts,
  ];
}

function hostOfDomain(domain: string): string {
  const host = domain.replace(/^\./, '');
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
