import {
  AppError,
  type ErrorDetail,
  FIRECRAWL_LABELS,
  type FirecrawlOption,
  type FirecrawlOptions,
} from '@gleaner/contracts';
import { summarizeDetails } from '../responses/summarize-details.ts';

/** Error of a request for something that Firecrawl has and Gleaner has not; its code is NOT_SUPPORTED for callers of Firecrawl's API. */
export class NotSupported extends AppError {
  constructor(details: readonly ErrorDetail[]) {
    const suggestion = 'docs/firecrawl.md lists what becomes of every option.';
    super('INVALID_REQUEST', { message: summarizeDetails(details), suggestion, details });
  }
}

/** Returns an error for each option that has no equal here and is set. */
export function refusedIn(values: object, options: FirecrawlOptions, at = ''): ErrorDetail[] {
  return settings(values, options).flatMap(([name, { fate, note }]) =>
    fate === 'refused' ? [{ path: at + name, message: `is not supported. ${note}` }] : [],
  );
}

/** Returns a warning for each option that is set and changes nothing. */
export function ignoredIn(values: object, options: FirecrawlOptions): string[] {
  return settings(values, options).flatMap(([name, { fate, note }]) =>
    fate === 'ignored' && !FIRECRAWL_LABELS.includes(name) ? [`${name} has no effect: ${note}`] : [],
  );
}

/** Returns the options set by a body, leaving out null, empty and silent values. */
function settings(values: object, options: FirecrawlOptions): (readonly [string, FirecrawlOption])[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const option = options[name];
    return option && !isSilent(value, option) ? [[name, option] as const] : [];
  });
}

function isSilent(value: unknown, { silent }: FirecrawlOption): boolean {
  return value == null || silent.includes(value) || (Array.isArray(value) && value.length === 0);
}
