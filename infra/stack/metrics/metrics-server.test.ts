import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { choosePort } from '../ports.ts';
import { startMetricsServer, type WatchedProcess } from './metrics-server.ts';

const HOST = '127.0.0.1';
const METRICS = '# HELP gleaner_up Shared.\n# TYPE gleaner_up gauge\ngleaner_up{service="sound"} 1\n';

it('shows the metrics of the other processes while one takes connections and never answers', async () => {
  await using parts = new AsyncDisposableStack();
  const processes: WatchedProcess[] = [];
  const start = async (name: string, answer: RequestListener) => {
    const server = createServer(answer).listen(0, HOST);
    await once(server, 'listening');
    parts.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    const ports = [{ metrics: (server.address() as AddressInfo).port }];
    processes.push({ name, pid: undefined, ports, restarts: 0 });
  };
  await start('hung', () => {});
  await start('sound', (_request, response) => response.end(METRICS));
  const port = await choosePort({ host: HOST, port: 0, askedBy: undefined });
  const options = { host: HOST, port, processes, dataDir: import.meta.dirname, answerWithinMs: 200 };
  const server = await startMetricsServer(options);
  parts.defer(() => server.close());

  // On a slow machine, the sound one may be late as well, once or twice.
  await eventually(async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toContain('gleaner_up{service="sound"} 1');
    expect(text).toContain('gleaner_process_ready{process="sound"} 1');
    expect(text).toContain('gleaner_process_ready{process="hung"} 0');
  });
  const health = await fetch(`${server.url}/readyz`);
  expect([health.status, await health.json()]).toMatchObject([503, { processes: { hung: 'not ready' } }]);
});
