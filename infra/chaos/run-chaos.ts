import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@gleaner/test-kit';
import { findOrphans, listQueued, untilQueuesAreEmpty } from './check/leftovers.ts';
import { prepareCrawls } from './crawls/run-crawls.ts';
import { createJobClient } from './job-client.ts';
import { prepareJobs } from './jobs/run-jobs.ts';
import { prepareProfiles } from './jobs/run-profiles.ts';
import { startReceiver } from './receiver.ts';
import { type ChaosReport, type Findings, listFindings, noFindings, type Row } from './report.ts';
import { prepareSchedules } from './schedules/run-schedules.ts';
import { type ChaosStack, SETTINGS, startChaosStack } from './stack/chaos-stack.ts';
import { startTokenOrigin } from './token-origin.ts';
import { prepareUpgrade } from './upgrade/run-upgrade.ts';
import type { ChaosOptions, PrepareWorkload, WorkloadKind } from './workload.ts';

const WORKLOADS: Readonly<Record<WorkloadKind, PrepareWorkload>> = {
  jobs: prepareJobs,
  crawls: prepareCrawls,
  schedules: prepareSchedules,
  profiles: prepareProfiles,
  upgrade: prepareUpgrade,
};

/** Runs a workload on a stack with failing parts; checks its results and the state left at the end. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { kind, seed, planners, brokerKind, databaseKind, print } = options;
  const dataDir = await mkdtemp(join(tmpdir(), `gleaner-chaos-${kind}-`));
  const findings = noFindings();
  const injected: Record<string, number> = {};
  let rows: Row[] | undefined;
  let refusals = 0;
  try {
    await using scope = new AsyncDisposableStack();
    const receiver = scope.use(await startReceiver());
    const workload = await WORKLOADS[kind]({ ...options, dataDir }, scope);
    const origin = workload.origin ?? scope.use(await startTokenOrigin());
    const { egressAllow = [], settings = SETTINGS, ...stackOptions } = workload.stack;
    const stack = await startChaosStack({
      dataDir,
      brokerKind,
      databaseKind,
      ...stackOptions,
      settings: { ...settings, ...(planners > 1 && { DISPATCH_PLANNERS: String(planners) }) },
      egressAllow: [origin.host, receiver.host, ...egressAllow],
    });
    const client = createJobClient({ stack, urlOf: origin.urlOf, webhookUrl: receiver.url });
    const random = createRandom(seed);
    const parts = { stack, client, origin, receiver, random, jobs: [], findings, injected };
    try {
      rows = await workload.run({ ...options, ...parts });
      await untilQueuesAreEmpty(stack.broker);
    } finally {
      await stack.stop(() => lookBack(stack, findings));
    }
    findings.other.push(...client.answers.dishonest);
    findings.late.push(...client.answers.missing);
    refusals = client.answers.refusals;
  } finally {
    if (rows && listFindings(findings).length === 0) await rm(dataDir, { recursive: true, force: true });
    else print(`The logs and the data are kept in ${dataDir}`);
  }
  return { rows, injected, refusals, findings };
}

/** Checks, after the services have ended, that no message and no process of theirs is left. */
async function lookBack(stack: ChaosStack, findings: Findings): Promise<void> {
  findings.other.push(...(await listQueued(stack.broker)));
  for (const pid of await findOrphans(stack, []))
    findings.other.push(`The process ${pid} outlived its service.`);
}
