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
/** Planners that are compared with one, each a process of its own. */
const PLANNERS = Number(process.env.DISPATCH_PLANNERS ?? 1);
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
  for (const row of ROWS) {
    const report = await simulate(row);
    print(row, report);
    if (PLANNERS > 1) await compare(row, report);
  }
}

/**
 * Runs every planner of several on its part of the same work, and tells how many pages all of them plan in the CPU time in which one
 * planner plans one. They run one after the other: with fewer cores than planners, each would slow down the others.
 */
async function compare(row: (typeof ROWS)[number], one: Report): Promise<void> {
  const reports: Report[] = [];
  for (let planner = 0; planner < PLANNERS; planner++)
    reports.push(await simulate(row, { planner, planners: PLANNERS }));
  const rates = reports.map((report) => 1 / cpuMsOf(report));
  const ratio = rates.reduce((sum, rate) => sum + rate, 0) * cpuMsOf(one);
  const mostInFlight = reports.reduce((sum, report) => sum + report.mostInFlight, 0);
  const figures = [
    `${PLANNERS} planners`,
    `${(PLANNERS / rates.reduce((sum, rate) => sum + rate, 0)).toFixed(3)} ms CPU a page`,
    `${ratio.toFixed(2)} pages for each page of one planner`,
    `at most ${mostInFlight} in flight, ${reports.reduce((sum, report) => sum + report.mostOfJob, 0)} of a job`,
    `accounts ${Math.max(...reports.map(({ unfairness }) => unfairness)).toFixed(2)} : 1`,
    `${reports.reduce((sum, report) => sum + report.outOfOrder, 0)} out of order`,
  ];
  console.log(`            ${figures.join(' · ')}`);
}

/** Returns the CPU time that a page takes of its planner. */
function cpuMsOf({ dispatched, planningMs, readingMs, endingMs }: Report): number {
  return (planningMs + readingMs + endingMs) / dispatched;
}

/** One of several planners. */
interface Place {
  readonly planner: number;
  readonly planners: number;
}

async function simulate({ jobs, scrapers }: (typeof ROWS)[number], place?: Place): Promise<Report> {
  const workload = {
    accounts: Math.min(MOST_ACCOUNTS, jobs),
    jobs,
    hosts: HOSTS,
    pagesPerJob: WAITING / jobs,
    // Each host has pages of two jobs.
    hostsPerJob: Math.min(HOSTS, (2 * HOSTS) / jobs),
  };
  const options = { workload, scrapers, maxPages: PAGES, pageMs: PAGE_MS, place };
  const child = fork(SIMULATION, [JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [report] = await once(child, 'message');
  return report;
}

function print({ jobs, scrapers }: (typeof ROWS)[number], report: Report): void {
  const { dispatched, planningMs, readingMs, simulatedMs, mostInFlight } = report;
  const { mostOfHost, mostOfJob, outOfOrder, unfairness, megabytes } = report;
  const ofPage = (ms: number) => (ms / dispatched).toFixed(3);
  const figures = [
    `${jobs} jobs, ${scrapers} scrapers`.padEnd(26),
    `${Math.round((dispatched / simulatedMs) * 1000)} pages/s of simulated time`,
    `${cpuMsOf(report).toFixed(3)} ms CPU a page (planning ${ofPage(planningMs)}, reading ${ofPage(readingMs)})`,
    `at most ${mostInFlight} in flight, ${mostOfJob} of a job, ${mostOfHost} of a host`,
    `accounts ${unfairness.toFixed(2)} : 1`,
    `${outOfOrder} out of order`,
    `${Math.round(megabytes)} MB`,
  ];
  console.log(`          ${figures.join(' · ')}`);
}
