import { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import got from 'got';
import type { Stack } from '../../stack/start-stack.ts';
import { Bench, brokers } from '../bench-stack.ts';
import { percentile, SHARES, timed } from '../figures.ts';
import { askService } from './ask-service.ts';
import { startBareRoundTrip } from './bare-round-trip.ts';
import { type BenchOrigin, startBenchOrigin } from './bench-origin.ts';
import { doWorkDirectly } from './do-work-directly.ts';

/** Warm-up rounds, which a busy service passes in its first minutes: V8 has then compiled most of the code of a scrape. */
const WARM_UP_ROUNDS = 1000;
const ROUNDS = 1500;
/** A page of about 20 KB. */
const RECORDS = 60;

/** Measures the time of one scrape through the service beyond the same work called directly, on each broker. */
export async function benchOverhead(): Promise<void> {
  for (const { name, amqpUrl } of await brokers()) {
    await using bench = await Bench.open();
    const origin = bench.parts.use(await startBenchOrigin(RECORDS));
    await compare(name, await bench.startStack({ amqpUrl, originUrl: origin.url }), origin);
  }
}

async function compare(broker: string, stack: Stack, origin: BenchOrigin): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const client = got.extend({ agent: { http: agent }, retry: { limit: 0 } });
  const clientAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const workDirectly = () => doWorkDirectly(origin.url, client);
  const askForWork = () => askService(stack, origin.url, clientAgent);
  await requireEqualValues(workDirectly, askForWork);
  await using bare = await startBareRoundTrip(stack.amqpUrl);
  const timesMs: Times = { direct: [], service: [], bare: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    // They alternate within one run, so that changes of the machine's speed affect all alike.
    const directMs = await timed(workDirectly);
    const serviceMs = await timed(askForWork);
    const bareMs = await timed(bare.go);
    if (round < 0) continue;
    timesMs.direct.push(directMs);
    timesMs.service.push(serviceMs);
    timesMs.bare.push(bareMs);
  }
  agent.destroy();
  clientAgent.destroy();
  report(broker, timesMs);
}

/** Samples in milliseconds: the work by itself, the work through the service, and a bare round trip over the broker. */
type Times = Readonly<Record<'direct' | 'service' | 'bare', number[]>>;

/** Checks that both sides return the same data; otherwise the comparison means nothing. */
async function requireEqualValues(
  workDirectly: () => Promise<unknown>,
  askForWork: () => Promise<unknown>,
): Promise<void> {
  const [direct, service] = await Promise.all([workDirectly(), askForWork()]);
  if (!isDeepStrictEqual(direct, service))
    throw new Error('The service and the direct work took different values.');
}

function report(broker: string, { direct, service, bare }: Times): void {
  for (const [label, share] of Object.entries(SHARES)) {
    const directMs = percentile(direct, share);
    const serviceMs = percentile(service, share);
    const bareMs = percentile(bare, share);
    const overheadMs = serviceMs - directMs;
    const ratio = (serviceMs / directMs).toFixed(2);
    console.log(
      `overhead  ${broker.padEnd(9)} ${label}  direct ${directMs.toFixed(2)} ms  service ${serviceMs.toFixed(2)} ms  ` +
        `overhead ${overheadMs.toFixed(2)} ms  ratio ${ratio}  bare round trip ${bareMs.toFixed(2)} ms  ` +
        `overhead ${(overheadMs / bareMs).toFixed(1)} of them`,
    );
  }
}
