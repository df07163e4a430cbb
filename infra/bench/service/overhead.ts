import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import got, { type Got } from 'got';
import { type Stack, startStack } from '../../stack/start-stack.ts';
import { percentile } from '../percentile.ts';
import { realBroker } from '../real-broker.ts';
import { type BenchOrigin, startBenchOrigin } from './bench-origin.ts';
import { doWorkDirectly, SELECTORS } from './do-work-directly.ts';

const WARM_UP_ROUNDS = 300;
const ROUNDS = 1500;

/** What one scrape through the service costs in time beyond the same work called directly, on each broker. */
export async function benchOverhead(): Promise<void> {
  const brokers = [{ name: 'embedded', amqpUrl: undefined }, ...(await realBroker())];
  for (const { name, amqpUrl } of brokers) {
    const origin = await startBenchOrigin();
    const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
    const stack = await startStack({
      dataDir,
      amqpUrl,
      egressAllow: [`127.0.0.1:${origin.port}`],
      logLevel: 'warn',
      settings: { RATE_LIMIT_SCRAPE: '1000000' },
    });
    try {
      await compare(name, stack, origin);
    } finally {
      await stack.stop();
      await origin.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
}

async function compare(broker: string, stack: Stack, origin: BenchOrigin): Promise<void> {
  const agent = { http: new Agent({ keepAlive: true, maxSockets: 1 }) };
  const client = got.extend({ agent, retry: { limit: 0 } });
  await requireEqualValues(stack, origin, client);
  const timesMs: Record<'direct' | 'service', number[]> = { direct: [], service: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    // The two take turns within one run, so that the machine's moods meet both alike.
    const directMs = await timed(() => doWorkDirectly(origin.url, client));
    const serviceMs = await timed(() => scrape(stack, origin.url, client));
    if (round < 0) continue;
    timesMs.direct.push(directMs);
    timesMs.service.push(serviceMs);
  }
  agent.http.destroy();
  report(broker, timesMs);
}

/** Both sides must do the same work, or the comparison means nothing. */
async function requireEqualValues(stack: Stack, origin: BenchOrigin, client: Got): Promise<void> {
  const [direct, service] = await Promise.all([
    doWorkDirectly(origin.url, client),
    scrape(stack, origin.url, client),
  ]);
  if (!isDeepStrictEqual(direct, service))
    throw new Error('The service and the direct work took different values.');
}

async function scrape(stack: Stack, url: string, client: Got): Promise<unknown> {
  const answer = await client
    .post(`${stack.url}/v1/scrape`, {
      headers: { authorization: `Bearer ${stack.apiKey}` },
      json: { url, selectors: SELECTORS },
    })
    .json<{ data: unknown }>();
  return answer.data;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function report(broker: string, { direct, service }: Record<'direct' | 'service', number[]>): void {
  for (const [label, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const directMs = percentile(direct, share);
    const serviceMs = percentile(service, share);
    const ratio = (serviceMs / directMs).toFixed(2);
    console.log(
      `overhead  ${broker.padEnd(9)} ${label}  direct ${directMs.toFixed(2)} ms  service ${serviceMs.toFixed(2)} ms  ` +
        `overhead ${(serviceMs - directMs).toFixed(2)} ms  ratio ${ratio}`,
    );
  }
}
