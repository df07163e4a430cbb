import {
  AppError,
  type ErrorDetail,
  findExcludedOptions,
  firstPriceOf,
  type ScrapeOptions,
  type ScrapeRequest,
  screenshotOf,
  totalCredits,
} from '@gleaner/contracts';
import { explainMissingProxies, findCookieErrors, findHeaderErrors } from '@gleaner/egress';
import { findSelectorError } from '@gleaner/extraction';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import type { UrlRules } from '../check-urls.ts';
import { checkExtraction, findFormatErrors } from './check-extraction.ts';
import { findActionErrors, findActionSelectorErrors } from './find-action-errors.ts';
import { findCaptureErrors } from './find-capture-errors.ts';
import { findDownloadErrors } from './find-download-errors.ts';
import { findMethodErrors, type MethodOptions, type MethodRules } from './find-method-errors.ts';
import { findProfileErrors } from './find-profile.ts';
import { findModelErrors, type ModelRules, requireModel } from './model-rules.ts';

/** Rules that a request is checked against. */
export interface ScrapeRules extends UrlRules, MethodRules, ModelRules {
  /** Countries with a proxy pool. */
  readonly proxyCountries: readonly string[];
}

/**
 * Returns the request as workers get it, its URL normalized. Throws INVALID_URL, INVALID_REQUEST or INVALID_SELECTOR for
 * everything that could only fail later, before anything is reserved or fetched.
 */
export function checkScrapeRequest(request: ScrapeRequest, rules: ScrapeRules): ScrapeRequest {
  const { href } = rules.policy.checkUrl(request.url);
  checkScrapeOptions(request, rules);
  return { ...request, url: href };
}

/** Throws INVALID_REQUEST or INVALID_SELECTOR for options that could only fail later, whatever the URL. */
export function checkScrapeOptions(options: MethodOptions, rules: ScrapeRules): void {
  const { cookies = [] } = options;
  const details = [
    ...findMethodErrors(options, rules),
    ...headerErrors(options),
    ...findCookieErrors(cookies),
    ...proxyErrors(options, rules),
    ...findExcludedOptions(options),
    ...findProfileErrors(options),
    ...localeErrors(options),
    ...findFormatErrors(options),
    ...findScreenshotErrors(options),
    ...findCaptureErrors(options),
    ...findDownloadErrors(options),
    ...findActionErrors(options.actions),
    ...stepScreenshotErrors(options),
    ...findModelErrors(options),
    ...maxCreditsErrors(options),
  ];
  if (details.length > 0) {
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  }
  checkExtraction(options);
  requireModel(options, rules);
  const stepErrors = findActionSelectorErrors(options.actions);
  if (stepErrors.length > 0) {
    throw new AppError('INVALID_SELECTOR', {
      message: summarizeDetails(stepErrors),
      suggestion: PLAIN_SELECTOR_ADVICE,
      details: stepErrors,
    });
  }
  if (typeof options.waitFor === 'string') checkPlainSelector('waitFor', options.waitFor);
  const shown = screenshotOf(options)?.selector;
  if (shown !== undefined) checkPlainSelector('screenshot.selector', shown);
}

/** Does the same for options at a path of a body, such as `scrape`. */
export function checkOptionsAt(at: string, options: MethodOptions, rules: ScrapeRules): void {
  try {
    checkScrapeOptions(options, rules);
  } catch (error) {
    if (!(error instanceof AppError) || !error.details) throw error;
    const details = error.details.map(({ path, message }) => ({ path: `${at}.${path}`, message }));
    const { code, suggestion } = error;
    throw new AppError(code, { message: summarizeDetails(details), suggestion, details });
  }
}

function headerErrors({ headers, cookies }: ScrapeOptions): ErrorDetail[] {
  return headers ? findHeaderErrors(headers, { hasCookies: cookies !== undefined }) : [];
}

function proxyErrors({ proxy }: ScrapeOptions, { proxyCountries }: ScrapeRules): ErrorDetail[] {
  if (proxy === undefined || proxyCountries.includes(proxy)) return [];
  return [{ path: 'proxy', message: explainMissingProxies(proxyCountries) }];
}

function stepScreenshotErrors({ stepScreenshots, actions = [] }: ScrapeOptions): ErrorDetail[] {
  if (!stepScreenshots || actions.length > 0) return [];
  return [{ path: 'stepScreenshots', message: 'needs actions: it shows the page after each of their steps' }];
}

function maxCreditsErrors(options: ScrapeOptions): ErrorDetail[] {
  const price = totalCredits(firstPriceOf(options));
  const { maxCredits = price } = options;
  if (maxCredits >= price) return [];
  const message = `must be at least ${price}, because the page costs that much with these options`;
  return [{ path: 'maxCredits', message }];
}

/** Rejects what has the form of a language tag without being valid, such as one with a repeated part. */
function localeErrors({ locale }: ScrapeOptions): ErrorDetail[] {
  try {
    Intl.getCanonicalLocales(locale);
    return [];
  } catch {
    return [{ path: 'locale', message: 'must be a language tag such as "de" or "en-US"' }];
  }
}

const PLAIN_SELECTOR_ADVICE =
  'Use a selector that document.querySelector accepts, without ::text, ::attr(name), ::html or ::all.';

/** Throws INVALID_SELECTOR unless the text is a CSS selector without a suffix. */
function checkPlainSelector(path: string, selector: string): void {
  const problem = findSelectorError(selector);
  if (problem === undefined) return;
  throw new AppError('INVALID_SELECTOR', {
    message: `${path} is not a CSS selector: ${selector.slice(0, 200)}`,
    suggestion: PLAIN_SELECTOR_ADVICE,
    details: [{ path, message: problem }],
  });
}

/** Most pixels that a window has, counted with its scale: the browser keeps all of them in memory. */
const MAX_VIEWPORT_PIXELS = 16_777_216;

/** Finds options of a screenshot that exclude each other. */
function findScreenshotErrors(options: ScrapeOptions): ErrorDetail[] {
  const { fullPage, selector, viewport, mobile, format = 'png', quality } = screenshotOf(options) ?? {};
  const { width = 0, height = 0, scale = 1 } = viewport ?? {};
  const pixels = Math.ceil(width * height * scale * scale);
  const errors: (readonly [isWrong: boolean, name: string, message: string])[] = [
    [
      quality !== undefined && format === 'png',
      'quality',
      'is for the formats jpeg and webp: PNG loses nothing; leave it out or set format',
    ],
    [
      fullPage !== undefined && selector !== undefined,
      'fullPage',
      'cannot be set beside selector, which names the part of the page to show',
    ],
    [
      pixels > MAX_VIEWPORT_PIXELS,
      'viewport',
      `has ${pixels} pixels at its scale; at most ${MAX_VIEWPORT_PIXELS} are drawn`,
    ],
    [
      mobile === true && options.antiBot === true,
      'mobile',
      'cannot be combined with antiBot, whose disguise is a browser on a desktop',
    ],
  ];
  return errors.flatMap(([isWrong, name, message]) =>
    isWrong ? [{ path: `screenshot.${name}`, message }] : [],
  );
}
