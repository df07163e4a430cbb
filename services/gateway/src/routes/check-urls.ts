import { AppError, type CreateJobRequest, defined, type ErrorDetail, takingTurns } from '@gleaner/contracts';
import type { EgressPolicy } from '@gleaner/egress';

/** Rules that URLs are checked against. */
export interface UrlRules {
  readonly policy: Pick<EgressPolicy, 'checkUrl'>;
}

/** Error of a URL, with what to do about it: for a private address, the setting that allows it. */
export interface UrlError extends ErrorDetail {
  readonly suggestion?: string;
}

/** Returns an error for each bad URL of a job by its place; values that are not strings are left to the schema. */
export async function findUrlErrors(
  urls: readonly unknown[],
  rules: UrlRules,
  pathOf = (index: number) => `urls.${index}`,
): Promise<UrlError[]> {
  const details: UrlError[] = [];
  const takeTurns = takingTurns();
  for (const [index, url] of urls.entries()) {
    if (typeof url === 'string') details.push(...findUrlError(pathOf(index), url, rules));
    await takeTurns();
  }
  return details;
}

/** Returns the error of the URL at this path of a body, if it has one. */
export function findUrlError(path: string, url: string, { policy }: UrlRules): UrlError[] {
  try {
    policy.checkUrl(url);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ path, message: error.message, suggestion: error.suggestion }];
  }
}

/** Returns the error of the address of a webhook, if it has one. */
export function findWebhookError(
  { webhook }: Pick<CreateJobRequest, 'webhook'>,
  rules: UrlRules,
): UrlError[] {
  if (webhook === undefined) return [];
  return typeof webhook === 'string'
    ? findUrlError('webhook', webhook, rules)
    : findUrlError('webhook.url', webhook.url, rules);
}

const MAX_NAMED = 3;

/** Throws INVALID_URL with every error, if there is one, and the suggestion of the first one. */
export function requireValidUrls(errors: readonly UrlError[]): void {
  const [first] = errors;
  if (!first) return;
  const details = errors.map(({ path, message }) => ({ path, message }));
  const { suggestion } = first;
  const named = details.slice(0, MAX_NAMED).map(({ path, message }) => `${path}: ${message}`);
  const rest = details.length - named.length;
  const message = `${named.join(' ')}${rest > 0 ? ` And ${rest} more in details.` : ''}`;
  throw new AppError('INVALID_URL', { message, details, ...defined({ suggestion }) });
}
