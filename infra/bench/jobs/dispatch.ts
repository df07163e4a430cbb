import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const SIMULATION = resolve(
  import.meta.dirname,
  '../../../services/job-orchestrator/test/simulation/simulate-process.ts',
);
/** Hosts and pages of all jobs together: more than all scrapers of this bench can have in flight at once. */
const HOSTS = 1_000_000;
const WAITING = 10_000_000;
const PAGE_MS = { least: 200, most: 2000 };
const MOST_ACCOUNTS = 50;
/** Pages that tell the cost of a page; DISPATCH_PAGES asks for others, up to the whole ten million. */
const PAGES = Number(process.env.DISPATCH_PAGES ?? 200_000);
/** Jobs and scrapers of each row. */
const ROWS = [
  { jobs: 1, scrapers: 1000 },
  { jobs: 10, scrapers: 1000 },
  { jobs: 100, scrapers: 1000 },
  { jobs: 1000, scrapers: 1000 },
  { jobs: 250, scrapers: 10 },
  { jobs: 250, scrapers: 100 },
];

/** Report of one simulation. */
interface Report {
  readonly dispatched: number;
  readonly planningMs: number;
  readonly readingMs: number;
  readonly endingMs: number;
  readonly simulatedMs: number;
  readonly mostInFlight: number;
  readonly mostOfHost: number;
  readonly mostOfJob: number;
  readonly outOfOrder: number;
  readonly unfairness: number;
  readonly megabytes: number;
}

/** Runs the dispatcher's own code on simulated scrapers, ten million pages of a million hosts before it. */
export async function benchDispatch(): Promise<void> {
  console.log(`dispatch  ${PAGES} of ${WAITING} pages, ${HOSTS} hosts, 0.2 to 2 s a page`);
  for (const row of ROWS) print(row, await simulate(row));
}

async function simulate({ jobs, scrapers }: (typeof ROWS)[number]): Promise<Report> {
  const workload = {
    accounts: Math.min(MOST_ACCOUNTS, jobs),
    jobs,
    hosts: HOSTS,
    pagesPerJob: WAITING / jobs,
    // Each host has pages of two jobs.
    hostsPerJob: Math.min(HOSTS, (2 * HOSTS) / jobs),
  };
  const options = { workload, scrapers, maxPages: PAGES, pageMs: PAGE_MS };
  const child = fork(SIMULATION, [JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [report] = await once(child, 'message');
  return report;
}

function print({ jobs, scrapers }: (typeof ROWS)[number], report: Report): void {
  const { dispatched, planningMs, readingMs, endingMs, simulatedMs, mostInFlight } = report;
  const { mostOfHost, mostOfJob, outOfOrder, unfairness, megabytes } = report;
  const ofPage = (ms: number) => (ms / dispatched).toFixed(3);
  const figures = [
    `${jobs} jobs, ${scrapers} scrapers`.padEnd(26),
    `${Math.round((dispatched / simulatedMs) * 1000)} pages/s of simulated time`,
    `${ofPage(planningMs + readingMs + endingMs)} ms CPU a page (planning ${ofPage(planningMs)}, reading ${ofPage(readingMs)})`,
    `at most ${mostInFlight} in flight, ${mostOfJob} of a job, ${mostOfHost} of a host`,
    `accounts ${unfairness.toFixed(2)} : 1`,
    `${outOfOrder} out of order`,
    `${Math.round(megabytes)} MB`,
  ];
  console.log(`          ${figures.join(' · ')}`);
}
