import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { redact } from '@gleaner/config';
import type { Logger } from '../logger/create-logger.ts';
import { inBackground } from '../logger/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Readiness } from './readiness.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { createServer } = process.getBuiltinModule('node:http');

/** Collaborators of the health server. */
export interface HealthServerDeps {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly logger: Logger;
  /** Further values by path, as JSON; the service adds them when it has started. */
  readonly reports?: ReadonlyMap<string, () => Promise<object>>;
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

/** Slow or idle clients are disconnected; Prometheus and health probes take far less time. */
const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 5000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 5000,
};
const SOCKET_TIMEOUT_MS = 15_000;
const MAX_CONNECTIONS = 100;

/**
 * Creates the HTTP server that one process has for its operators: `/metrics` (Prometheus), `/livez` (200 while the
 * process answers) and `/readyz` (200 or 503, with each check). It does not listen yet.
 */
export function createHealthServer(deps: HealthServerDeps): Server {
  const server = createServer(LIMITS, (request, response) => {
    inBackground(answer(request, response, deps), deps.logger, 'A health response could not be sent.');
  });
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

async function respondTo({ method, url = '/' }: IncomingMessage, deps: HealthServerDeps): Promise<Answer> {
  const path = url.split('?', 1)[0] ?? '';
  const report = deps.reports?.get(path);
  const route = ROUTES.get(path) ?? (report && (() => showReport(report)));
  if (!route) {
    const paths = [...ROUTES.keys(), ...(deps.reports?.keys() ?? [])];
    return json(404, { error: `Not found. The paths are ${paths.join(', ')}.` });
  }
  if (method !== 'GET' && method !== 'HEAD') return json(405, { error: 'Use GET or HEAD.' });
  try {
    return await route(deps);
  } catch (err) {
    // A gauge is read when it is scraped, so a failing one must cost this response only.
    deps.logger.error({ err }, `${method} ${path} could not be answered.`);
    return json(500, { error: 'See the log of this process.' });
  }
}

async function showMetrics({ metrics }: HealthServerDeps): Promise<Answer> {
  const { contentType, text } = await metrics.render();
  return { status: 200, contentType, body: text };
}

async function showReadiness({ readiness }: HealthServerDeps): Promise<Answer> {
  const report = await readiness.report();
  return json(report.status === 'ready' ? 200 : 503, report);
}

/** Answers 503 without a value, so that an autoscaler keeps its last decision. */
async function showReport(report: () => Promise<object>): Promise<Answer> {
  try {
    return json(200, await report());
  } catch (error) {
    return json(503, { error: redact(error instanceof Error ? error.message : String(error)) });
  }
}

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}
