import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWebhookReceiver } from '@gleaner/test-kit';
import { checkQueues, untilQueuesAreEmpty } from './check/check-queues.ts';
import { createSchedule } from './check/check-schedule.ts';
import { findOrphans } from './check/find-processes.ts';
import { type Findings, listFindings, noFindings } from './check/findings.ts';
import { createJobClient, type Refusal } from './job-client.ts';
import { createRandom } from './random.ts';
import { runScenario, type ScenarioContext, type ScenarioReport } from './run-scenario.ts';
import { divide, SCENARIOS, type ScenarioName } from './scenarios.ts';
import { type ChaosStack, startChaosStack } from './stack/chaos-stack.ts';
import type { BrokerKind } from './stack/choose-broker.ts';
import type { DatabaseKind } from './stack/choose-database.ts';
import { startTokenOrigin } from './token-origin.ts';

/** Options of a run; the same seed chooses the same jobs and faults. */
export interface ChaosOptions {
  readonly seed: number;
  readonly faults: number;
  readonly urls: number;
  readonly scenarios: readonly ScenarioName[];
  readonly brokerKind: BrokerKind;
  readonly databaseKind: DatabaseKind;
  readonly print: (line: string) => void;
}

/** Result of a run. */
export interface ChaosReport {
  readonly scenarios: readonly ScenarioReport[];
  readonly jobs: number;
  readonly refusals: number;
  readonly slowestRefusal: Refusal | undefined;
  /** Violations found at the end: in the queues, the processes and the responses. */
  readonly findings: Findings;
}

const CREDITS = 1_000_000;

/** Runs scenarios on one stack, checks after each of them, and checks what is left at the end. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, print } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-chaos-'));
  const origin = await startTokenOrigin();
  const receiver = await startWebhookReceiver();
  const stack = await startChaosStack({
    dataDir,
    egressAllow: [`127.0.0.1:${origin.port}`, `127.0.0.1:${receiver.port}`],
    credits: CREDITS,
    brokerKind: options.brokerKind,
    databaseKind: options.databaseKind,
  });
  const client = createJobClient({ stack, urlOf: origin.urlOf, webhookUrl: receiver.url });
  const findings = noFindings();
  const scenarios: ScenarioReport[] = [];
  const jobs: ScenarioContext['jobs'] = [];
  try {
    const schedule = await createSchedule(origin.urlOf(`${seed}-schedule`), client);
    const random = createRandom(seed);
    const context = { stack, client, origin, receiver, schedule, jobs, credits: CREDITS, random, print };
    for (const size of sizesOf(options, await canRender(stack, print)))
      scenarios.push(await runScenario(SCENARIOS[size.name], size, context));
    await untilQueuesAreEmpty(stack.broker);
  } finally {
    await stack.stop(() => lookBack(stack, findings));
    await Promise.all([origin.close(), receiver.close()]);
  }
  findings.other.push(...client.answers.dishonest);
  findings.late.push(...client.answers.missing);
  const isClean = [findings, ...scenarios.map((scenario) => scenario.findings)].every(
    (found) => listFindings(found).length === 0,
  );
  if (isClean) await rm(dataDir, { recursive: true, force: true });
  else print(`The logs and the data are kept in ${dataDir}`);
  const { refusals, slowestRefusal } = client.answers;
  return { scenarios, jobs: jobs.length, refusals, slowestRefusal, findings };
}

/** Returns true when scrapers can start browsers on this machine; otherwise their log has the reason. */
async function canRender({ broker }: ChaosStack, print: ChaosOptions['print']): Promise<boolean> {
  const isRendering = (await broker.consumerCount('scrape.browser')) > 0;
  if (!isRendering) print('No scraper has a browser on this machine: nothing is rendered.');
  return isRendering;
}

function sizesOf({ seed, faults, urls, scenarios: asked }: ChaosOptions, isRendering: boolean) {
  const scenarios = asked.filter((name) => isRendering || SCENARIOS[name].pages === 'plain');
  const shares = scenarios.map((name) => SCENARIOS[name].share);
  const faultsOf = divide(faults, shares);
  const urlsOf = divide(urls, shares);
  return scenarios.map((name, number) => ({
    name,
    faults: faultsOf[number] ?? 0,
    urls: urlsOf[number] ?? 0,
    prefix: `${seed}-${number}`,
  }));
}

/** Checks, after the services have ended, that no message and no process of theirs is left. */
async function lookBack(stack: ChaosStack, findings: Findings): Promise<void> {
  await checkQueues(stack.broker, findings);
  for (const pid of await findOrphans(stack, []))
    findings.other.push(`The process ${pid} outlived its service.`);
}
