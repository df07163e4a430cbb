import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { addressOf } from '../ports.ts';
import { renderMachineMetrics } from './machine-metrics.ts';
import { mergeMetrics } from './merge-metrics.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { createServer } = process.getBuiltinModule('node:http');

/** A process whose metrics and health are shown; a service without a port for them, such as the backends, is ready if it runs. */
export interface WatchedProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** One entry for each of its services, by purpose; undefined unless all are ready. */
  readonly ports: readonly Readonly<Record<string, number>>[] | undefined;
  readonly restarts: number;
}

/** Address to listen on, and what is shown there. */
export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Grows while the stack starts; empty, it is not ready. */
  readonly processes: readonly WatchedProcess[];
  readonly dataDir: string;
  /** Time for each process to answer; a later answer is shown as not ready. Default 2 s. */
  readonly answerWithinMs?: number;
}

/** The one address of a stack for its operators. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

const REQUEST_WITHIN_MS = 5000;
const ANSWER_WITHIN_MS = 2000;
const LOOPBACK = '127.0.0.1';
const PATHS = ['/metrics', '/livez', '/readyz'];

/** Serves `/metrics`, `/livez` and `/readyz` for all processes of a stack together. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port } = options;
  const server = createServer(
    { requestTimeout: REQUEST_WITHIN_MS, headersTimeout: REQUEST_WITHIN_MS },
    (request, response) => {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '';
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        return sendJson(response, 405, { error: 'Use GET or HEAD.' });
      }
      answer(path, response, options).catch((error: unknown) => {
        sendJson(response, 500, { error: error instanceof Error ? error.message : String(error) });
      });
    },
  );
  server.maxConnections = 100;
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  return {
    url: addressOf(host, port),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(path: string, response: ServerResponse, options: MetricsServerOptions): Promise<void> {
  if (path === '/metrics') {
    return send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await renderMetrics(options));
  }
  if (path === '/livez') return sendJson(response, 200, { status: 'alive' });
  if (path !== '/readyz') {
    return sendJson(response, 404, { error: `Not found. The paths are ${PATHS.join(', ')}.` });
  }
  const states = await Promise.all(
    options.processes.map(async (process) => [process.name, await isReady(process, options)] as const),
  );
  const isAllReady = states.length > 0 && states.every(([, ready]) => ready);
  sendJson(response, isAllReady ? 200 : 503, {
    status: isAllReady ? 'ready' : 'not ready',
    processes: Object.fromEntries(states.map(([name, ready]) => [name, ready ? 'ready' : 'not ready'])),
  });
}

async function renderMetrics(options: MetricsServerOptions): Promise<string> {
  const { processes, dataDir } = options;
  const readings = await Promise.all(
    processes.map(async (process) => {
      const { name, pid, restarts } = process;
      const [ready, texts] = await Promise.all([
        isReady(process, options),
        ask(process, '/metrics', options),
      ]);
      return { name, pid, restarts, isReady: ready, texts };
    }),
  );
  const machine = await renderMachineMetrics({ processes: readings, dataDir });
  const texts = readings.flatMap((reading) => reading.texts).filter((text) => text !== undefined);
  return mergeMetrics([machine, ...texts]);
}

type Patience = Pick<MetricsServerOptions, 'answerWithinMs'>;

async function isReady(process: WatchedProcess, patience: Patience): Promise<boolean> {
  if (!process.ports) return false;
  const answers = await ask(process, '/readyz', patience);
  return answers.every((answer) => answer !== undefined);
}

/** Returns the body of each service of the process that has a port for metrics; undefined for one without a success. */
function ask(
  { ports = [] }: WatchedProcess,
  path: string,
  { answerWithinMs = ANSWER_WITHIN_MS }: Patience,
): Promise<(string | undefined)[]> {
  const asked = ports.flatMap(({ metrics }) => metrics ?? []);
  return Promise.all(asked.map((port) => askService(`${addressOf(LOOPBACK, port)}${path}`, answerWithinMs)));
}

async function askService(url: string, answerWithinMs: number): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
    const text = await response.text();
    return response.ok ? text : undefined;
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'application/json', `${JSON.stringify(body)}\n`);
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
