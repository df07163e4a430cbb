/** Longer lists are not sent at every change. */
const MAX_URLS = 1000;

/**
 * Returns the part of the request of a job that its price depends on: the rest may be half typed, and not valid yet.
 * Undefined without URLs, and for lists that are too long to be sent at every change.
 */
export function pricedPartOf(
  request: Readonly<Record<string, unknown>>,
  urls: readonly string[],
): Record<string, unknown> | undefined {
  if (urls.length === 0 || urls.length > MAX_URLS) return undefined;
  const { waitFor, screenshot, actions, crawl, ...rest } = request;
  const { limit, maxCredits } = (crawl ?? {}) as Readonly<Record<string, unknown>>;
  const options = Object.entries(rest).filter(([name]) => !FREE.has(name));
  return {
    ...Object.fromEntries(options),
    urls,
    // A browser has the same price for any of them.
    ...((waitFor !== undefined || isLong(actions)) && { waitFor: 0 }),
    ...(screenshot !== undefined && { screenshot: screenshot !== false }),
    ...(crawl !== undefined && { crawl: { limit, maxCredits } }),
  };
}

function isLong(actions: unknown): boolean {
  return Array.isArray(actions) && actions.length > 0;
}

/** Options that are typed as text and do not change the price. */
const FREE = new Set(['name', 'selectors', 'formats', 'locale', 'cookies', 'headers', 'timeout', 'webhook']);
