import {
  defined,
  ERROR_TABLE,
  FIRECRAWL_MISSING,
  FirecrawlPartSchema,
  firecrawlBody,
  ROUTES,
  type RouteDefinition,
  toErrorEnvelope,
} from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import { expectSet, type Stage } from '../call.ts';
import { answerError, type DescribeError } from '../middleware/answer-error.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { checkInput } from '../middleware/check-input.ts';
import { checkScope, nameRoute } from '../middleware/check-request.ts';
import { limitRate } from '../middleware/limit-rate.ts';
import { readBody, readUpload } from '../middleware/read-body.ts';
import type { KnownPath } from '../middleware/refuse-unknown-route.ts';
import { StreamedResponse, sendJson, sendStream } from '../responses/responses.ts';
import type { RouteDeps } from '../routes/mount-routes.ts';
import { checkedCall } from '../routes/respond.ts';
import type { AnswerDeps, EndpointCall } from './answers.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { NotSupported } from './not-supported.ts';

/** Collaborators of Firecrawl's API. */
export type FirecrawlDeps = RouteDeps & {
  /** Undefined where the operator turned it off. */
  readonly firecrawl: AnswerDeps | undefined;
  /** Address that callers use; `/` if it is not set. */
  readonly publicUrl: string;
};

/** Prefixes of the paths, with the version that each serves. */
const PREFIXES = [
  ['/firecrawl/v2', 'v2'],
  ['/v2', 'v2'],
  ['/firecrawl/v1', 'v1'],
] as const;

/** Mounts Firecrawl's API: a translation of its calls to routes of Gleaner, with their limits and prices. */
export function mountFirecrawl(app: Express, deps: FirecrawlDeps): void {
  const { firecrawl } = deps;
  if (!firecrawl) return;
  for (const [prefix, version] of PREFIXES) {
    for (const endpoint of ENDPOINTS[version]) {
      const path = (prefix + endpoint.path).replace('{id}', ':id');
      const stages = stagesOf(endpoint, prefix, { ...deps, firecrawl });
      app[endpoint.method](path, ...(stages as RequestHandler[]));
    }
    app.use(prefix, refuseMissing as RequestHandler);
  }
}

/** Returns the paths of Firecrawl's API with their methods. */
export function firecrawlPaths({ firecrawl }: Pick<FirecrawlDeps, 'firecrawl'>): KnownPath[] {
  if (!firecrawl) return [];
  return PREFIXES.flatMap(([prefix, version]) =>
    [...Map.groupBy(ENDPOINTS[version], ({ path }) => path)].map(([path, group]) => ({
      path: prefix + path,
      methods: group.map(({ method }) => method.toUpperCase()),
    })),
  );
}

/** Returns the stages of an endpoint in their order. */
function stagesOf(
  { path, like, options, required, isUpload = false, isPaged = false, answer }: Endpoint,
  prefix: string,
  deps: FirecrawlDeps & { readonly firecrawl: AnswerDeps },
): Stage[] {
  const route: RouteDefinition = ROUTES[like];
  const body = options && firecrawlBody(options, required);
  return [
    nameRoute(prefix + path, deps),
    authenticate(deps),
    limitRate(route, deps),
    checkScope(route.scope),
    ...(body ? [(isUpload ? readUpload : readBody)(route, deps.bodyBudget), dropUnset] : []),
    checkInput({ ...defined({ body }), ...(isPaged && { query: FirecrawlPartSchema }) }),
    async (request, response) => {
      const { call } = response.locals;
      const { query, ...checked } = checkedCall(request, call);
      const endpointCall: EndpointCall = {
        ...checked,
        query: (query ?? {}) as EndpointCall['query'],
        ...defined({ file: call.file }),
        idempotencyKey: textOf(request.headers['x-idempotency-key']),
        baseUrl: baseUrlOf(request, deps.publicUrl) + prefix,
      };
      const result = await answer(endpointCall, deps.firecrawl);
      if (!(result instanceof StreamedResponse)) return sendJson(response, 200, result);
      await sendStream(response, 200, result, { method: request.method, signal: call.signal });
    },
  ];
}

/** Removes null fields and empty objects: clients send them for unset options. */
const dropUnset: Stage = (_request, response, next) => {
  const { call } = response.locals;
  call.body = withScrapeOptions(withoutUnset(expectSet(call.body, 'body') as object));
  next();
};

function withoutUnset(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isUnset(value)));
}

function isUnset(value: unknown): boolean {
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return isObject && Object.keys(value ?? {}).length === 0;
}

/** Returns the body with the options of pages as they are meant: n8n sends the `formats` of a crawl beside them. */
function withScrapeOptions(body: { readonly scrapeOptions?: unknown; readonly formats?: unknown }): object {
  const { scrapeOptions, formats, ...rest } = body;
  if (!scrapeOptions) return body;
  const options = { ...Object(scrapeOptions), ...defined({ formats }) };
  return { ...rest, scrapeOptions: withoutUnset(options) };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(',');
}

/**
 * Returns the address of the service: PUBLIC_URL, else the address of the connection. Empty for a Host header with another
 * one, so that answers have paths: clients send their keys to the addresses in answers.
 */
function baseUrlOf({ headers, socket }: Request, publicUrl: string): string {
  const named = URL.parse(publicUrl);
  if (named) return named.href.replace(/\/$/, '');
  const asked = URL.parse(`http://${headers.host}`);
  return asked && isOwnHost(asked.hostname, socket.localAddress) ? `http://${asked.host}` : '';
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether a host of a URL is the caller's own machine, or the address at which the connection has arrived. */
function isOwnHost(hostname: string, localAddress = ''): boolean {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return LOOPBACK.has(hostname) || (address !== '' && [address, `[${address}]`].includes(hostname));
}

/** Throws NotSupported for endpoints of Firecrawl that have no equal; other unknown paths are left to the next stage. */
const refuseMissing: Stage = (request, _response, next) => {
  const missing = FIRECRAWL_MISSING.find(
    ({ path }) => request.path === path || request.path.startsWith(path.replace(/\/?$/, '/')),
  );
  if (missing)
    throw new NotSupported([
      { path: request.path.slice(0, 100), message: `is not supported. ${missing.note}` },
    ]);
  next();
};

/** Statuses of errors of pages, by the beginning of the path: the SDK of version 1 shows no message with 422. */
const PAGE_STATUSES = { '/firecrawl/v1': 400, '/firecrawl': 422, '/v2': 422 } as const;

/** Mounts the answers to errors, as clients of Firecrawl read them. */
export function mountFirecrawlErrors(
  app: Express,
  deps: Pick<FirecrawlDeps, 'firecrawl'> & { readonly logger: Logger },
): void {
  if (!deps.firecrawl) return;
  for (const [path, status] of Object.entries(PAGE_STATUSES)) {
    app.use(path, answerError(deps, describeError(status)) as ErrorRequestHandler);
  }
}

/** Advice about a body that does not fit: its schema is not in the OpenAPI document. */
const ADVICE = 'Correct the fields named in `details`; docs/firecrawl.md lists all options.';

/**
 * Returns a function to describe an error. Clients repeat a call after a 5xx status, so a failed page gets 408 after a
 * timeout, else another 4xx; only errors of this service have 5xx.
 */
function describeError(pageStatus: number): DescribeError {
  return (error, requestId) => {
    const { code, message, suggestion, details } = toErrorEnvelope(error, requestId).error;
    const advice = suggestion === ERROR_TABLE.INVALID_REQUEST.suggestion ? ADVICE : suggestion;
    const isOfPage = error.source === 'target' && code !== 'TIMEOUT';
    return {
      status: isOfPage ? pageStatus : ERROR_TABLE[code].httpStatus,
      body: {
        success: false,
        code: error instanceof NotSupported ? 'NOT_SUPPORTED' : code,
        error: `${message} ${advice}`,
        ...defined({ details }),
        requestId,
      },
    };
  };
}
