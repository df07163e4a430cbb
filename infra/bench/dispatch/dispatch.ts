import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const SIMULATION = resolve(
  import.meta.dirname,
  '../../../services/job-orchestrator/test/simulation/simulate-process.ts',
);
/** Has more pages than all scrapers of this bench can have in flight at once. */
const WORKLOAD = { accounts: 50, jobs: 250, hosts: 10_000, pagesPerJob: 40_000, hostsPerJob: 400 };
const PAGE_MS = { least: 200, most: 2000 };
/** Pages that tell the cost of a page; DISPATCH_PAGES asks for others, up to the whole ten million. */
const PAGES = Number(process.env.DISPATCH_PAGES ?? 500_000);

/** Report of one simulation. */
interface Report {
  readonly dispatched: number;
  readonly planningMs: number;
  readonly readingMs: number;
  readonly simulatedMs: number;
  readonly mostInFlight: number;
  readonly mostOfHost: number;
  readonly mostOfJob: number;
  readonly outOfOrder: number;
  readonly unfairness: number;
  readonly megabytes: number;
}

/** Runs the dispatcher's own code on 10, 100 and 1,000 simulated scrapers, ten million pages of 10,000 hosts before it. */
export async function benchDispatch(): Promise<void> {
  const total = WORKLOAD.jobs * WORKLOAD.pagesPerJob;
  console.log(
    `dispatch  ${PAGES} of ${total} pages, ${WORKLOAD.hosts} hosts, ${WORKLOAD.jobs} jobs, 0.2 to 2 s a page`,
  );
  for (const scrapers of [10, 100, 1000]) print(scrapers, await simulate(scrapers));
}

async function simulate(scrapers: number): Promise<Report> {
  const options = { workload: WORKLOAD, scrapers, maxPages: PAGES, pageMs: PAGE_MS };
  const child = fork(SIMULATION, [JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [report] = await once(child, 'message');
  return report;
}

function print(scrapers: number, report: Report): void {
  const { dispatched, planningMs, readingMs, simulatedMs, mostInFlight } = report;
  const { mostOfHost, mostOfJob, outOfOrder, unfairness, megabytes } = report;
  const cpuMs = (planningMs + readingMs) / dispatched;
  const figures = [
    `${scrapers} scrapers`.padEnd(14),
    `${Math.round((dispatched / simulatedMs) * 1000)} pages/s of simulated time`,
    `${cpuMs.toFixed(3)} ms CPU a page (planning ${(planningMs / dispatched).toFixed(3)})`,
    `at most ${mostInFlight} in flight, ${mostOfJob} of a job, ${mostOfHost} of a host`,
    `accounts ${unfairness.toFixed(2)} : 1`,
    `${outOfOrder} out of order`,
    `${Math.round(megabytes)} MB`,
  ];
  console.log(`          ${figures.join(' · ')}`);
}
