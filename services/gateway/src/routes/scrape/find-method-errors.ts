import {
  browserOptionsOf,
  type CreateJobRequest,
  type ErrorDetail,
  findRequestErrors,
  isPlainGet,
  type Method,
  mayRepeat,
  methodOf,
  type RequestParts,
  requestPartsOf,
  type ScrapeOptions,
} from '@gleaner/contracts';

/** Rules that methods are checked against. */
export interface MethodRules {
  /** Methods that the operator allows. */
  readonly methods: readonly Method[];
}

/** Options of a scrape, or of a job whose URLs have methods and bodies of their own, or which is a crawl. */
export type MethodOptions = ScrapeOptions & Pick<Partial<CreateJobRequest>, 'requests' | 'crawl'>;

/** Finds errors in methods and bodies, and in the options that cannot be combined with them. */
export function findMethodErrors({ requests, ...options }: MethodOptions, rules: MethodRules): ErrorDetail[] {
  if (!requests) return errorsOf(options, [options], rules);
  const given = Object.keys(requestPartsOf(options) ?? {});
  const outside = given.map((path) => ({ path, message: 'must be given in each of requests' }));
  const inside = requests.flatMap((parts, index) =>
    partsErrors(parts, rules).map(({ path, message }) => ({ path: `requests.${index}.${path}`, message })),
  );
  return [...outside, ...inside, ...combinationErrors(options, requests)];
}

function errorsOf(options: ScrapeOptions, all: readonly RequestParts[], rules: MethodRules): ErrorDetail[] {
  return [...partsErrors(options, rules), ...combinationErrors(options, all)];
}

function partsErrors(parts: RequestParts, { methods }: MethodRules): ErrorDetail[] {
  const method = methodOf(parts);
  const message = `must be one of: ${methods.join(', ')}, because the operator of this service allows no ${method}`;
  return [...findRequestErrors(parts), ...(methods.includes(method) ? [] : [{ path: 'method', message }])];
}

/**
 * Finds options that conflict with a method or body: a browser cannot send them, and a repetition would send the
 * request again.
 */
function combinationErrors(options: ScrapeOptions, all: readonly RequestParts[]): ErrorDetail[] {
  const other = all.find((parts) => !isPlainGet(parts));
  if (!other) return [];
  const names = browserOptionsOf(options);
  const message = `needs a browser, and cannot be combined with ${describeParts(other)}, which only the plain engine sends`;
  const isRepeated = options.antiBot && all.some((parts) => !mayRepeat({ ...options, ...parts }));
  return [
    ...names.map((path) => ({ path, message })),
    ...(isRepeated ? [{ path: 'antiBot', message: ANTI_BOT }] : []),
  ];
}

const ANTI_BOT =
  'sends a request again that the site refused: set "repeatable": true if it may arrive twice, or leave antiBot out';

function describeParts(parts: RequestParts): string {
  const method = methodOf(parts);
  return method === 'GET' ? 'a body' : `the method ${method}`;
}
