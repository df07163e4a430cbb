import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Readiness } from './readiness.ts';

/** What the health server answers from. */
export interface HealthServerDeps {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

type Route = (deps: HealthServerDeps) => Answer | Promise<Answer>;

const ROUTES = new Map<string, Route>([
  ['/metrics', showMetrics],
  ['/livez', () => json(200, { status: 'alive' })],
  ['/readyz', showReadiness],
]);

/** Slow or idle clients are dropped; a scraper or a probe needs none of this time. */
const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 5000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
};
const SOCKET_TIMEOUT_MS = 15_000;
const MAX_CONNECTIONS = 100;

/**
 * The HTTP server of one process for its operators: `/metrics` (Prometheus), `/livez` (200 while the process answers)
 * and `/readyz` (200 or 503, with each check). It does not listen yet.
 */
export function createHealthServer(deps: HealthServerDeps): Server {
  const server = createServer(LIMITS, (request, response) => void answer(request, response, deps));
  server.setTimeout(SOCKET_TIMEOUT_MS);
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, deps: HealthServerDeps) {
  const { status, contentType, body } = await respondTo(request, deps);
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
  });
  response.end(body);
}

function respondTo({ method, url = '/' }: IncomingMessage, deps: HealthServerDeps): Answer | Promise<Answer> {
  const route = ROUTES.get(url.split('?', 1)[0] ?? '');
  if (!route) return json(404, { error: `There are ${[...ROUTES.keys()].join(', ')}.` });
  if (method !== 'GET' && method !== 'HEAD') return json(405, { error: 'Use GET.' });
  return route(deps);
}

async function showMetrics({ metrics }: HealthServerDeps): Promise<Answer> {
  const { contentType, text } = await metrics.render();
  return { status: 200, contentType, body: text };
}

async function showReadiness({ readiness }: HealthServerDeps): Promise<Answer> {
  const report = await readiness.report();
  return json(report.status === 'ready' ? 200 : 503, report);
}

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}
