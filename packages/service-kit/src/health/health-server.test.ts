import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import { createHealthServer } from './health-server.ts';
import { listen } from './listen.ts';
import { Readiness } from './readiness.ts';

const readiness = new Readiness();
const metrics = createMetrics('test');
const reports = new Map<string, () => Promise<object>>();
const lines: string[] = [];
let server: Server;
let port: number;

beforeAll(async () => {
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'info', format: 'json', stream });
  server = createHealthServer({ metrics, readiness, logger, reports });
  port = await listen(server, { host: '127.0.0.1', port: 0, settings: { host: 'H', port: 'P' } });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe('the health server', () => {
  it('answers /livez with 200', async () => {
    const { status, body } = await ask('/livez');
    expect([status, JSON.parse(body)]).toEqual([200, { status: 'alive' }]);
  });

  it('answers /readyz with 503 and every check until all pass, then with 200', async () => {
    let isUp = false;
    readiness.add({
      database: () => {
        if (!isUp) throw new Error('away');
      },
    });
    readiness.phase = 'running';
    const before = await ask('/readyz');
    expect(before.status).toBe(503);
    expect(JSON.parse(before.body)).toMatchObject({ checks: { database: { ok: false, reason: 'away' } } });
    isUp = true;
    const after = await ask('/readyz');
    expect(after.status).toBe(200);
    expect(JSON.parse(after.body)).toMatchObject({ status: 'ready', checks: { database: { ok: true } } });
  });

  it('serves the metrics in the text format of Prometheus', async () => {
    const { status, headers, body } = await ask('/metrics?format=x');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(body).toContain('process_cpu_seconds_total');
  });

  it('answers 500 and logs the error when a metric cannot be read', async () => {
    let isBroken = true;
    const collect = () => {
      if (isBroken) throw new Error('the queue is closed');
    };
    metrics.gauge({ name: 'broken', help: 'Fails to collect.', collect });
    const { status, body } = await ask('/metrics');
    expect([status, JSON.parse(body)]).toEqual([500, { error: 'See the log of this process.' }]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        msg: 'GET /metrics could not be answered.',
        err: { message: 'the queue is closed' },
      },
    ]);
    isBroken = false;
    expect((await ask('/metrics')).status).toBe(200);
  });

  it('serves the reports of the service, with 503 while one has no value', async () => {
    expect((await ask('/demand')).status).toBe(404);
    reports.set('/demand', async () => ({ pages: 3 }));
    const { status, body } = await ask('/demand');
    expect([status, JSON.parse(body)]).toEqual([200, { pages: 3 }]);
    reports.set('/demand', () => Promise.reject(new Error('not measured')));
    const without = await ask('/demand');
    expect([without.status, JSON.parse(without.body)]).toEqual([503, { error: 'not measured' }]);
  });

  it('answers HEAD without a body, and rejects other methods and paths', async () => {
    expect((await ask('/livez', 'HEAD')).body).toBe('');
    const { status, headers } = await ask('/livez', 'POST');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/__proto__')).status).toBe(404);
  });

  it('rejects a header that is too large', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(await text(socket)).toContain('431');
  });

  it('disconnects a client that does not finish its request', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.resume().write('GET /livez HTTP/1.1\r\nHost: x\r\n');
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});

async function ask(path: string, method = 'GET') {
  const headers = { connection: 'close' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}
