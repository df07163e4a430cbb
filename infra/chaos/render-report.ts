import { type Findings, listFindings } from './check/findings.ts';
import type { Refusal } from './job-client.ts';
import type { ChaosReport } from './run-chaos.ts';

const MAX_SHOWN = 20;

/** Returns true when no promise was broken: nothing lost, doubled, charged twice, left behind or late. */
export function isClean(report: ChaosReport): boolean {
  return allFindings(report).every((findings) => listFindings(findings).length === 0);
}

/** Returns true when every result is right, ignoring durations. */
export function isCorrect(report: ChaosReport): boolean {
  return allFindings(report).every((findings) => listFindings({ ...findings, late: [] }).length === 0);
}

/** Renders the report: a line for each scenario, the counts, and the first violations. */
export function renderReport(report: ChaosReport): string {
  const { scenarios, jobs, refusals, slowestRefusal } = report;
  const faults = scenarios.flatMap((scenario) => Object.entries(scenario.faults));
  const byFault = Map.groupBy(faults, ([name]) => name);
  const kinds = [...byFault].map(
    ([name, counts]) => `    ${String(sum(counts.map(([, count]) => count))).padStart(4)} × ${name}`,
  );
  const found = allFindings(report);
  const total = (list: keyof Findings) => sum(found.map((findings) => findings[list].length));
  return [
    '',
    'scenario                                              faults    URLs   lost  doubled  charged twice  other   late  recovery',
    ...scenarios.map(({ name, faults: counts, urls, findings, longestRecoveryMs }) =>
      [
        name.padEnd(52),
        String(sum(Object.values(counts))).padStart(8),
        String(urls).padStart(8),
        String(findings.lost.length).padStart(7),
        String(findings.doubled.length).padStart(9),
        String(findings.chargedTwice.length).padStart(15),
        String(findings.other.length).padStart(7),
        String(findings.late.length).padStart(7),
        seconds(longestRecoveryMs).padStart(10),
      ].join(''),
    ),
    '',
    `faults injected   ${sum(faults.map(([, count]) => count))}`,
    ...kinds,
    `jobs              ${jobs}`,
    `URLs              ${sum(scenarios.map(({ urls }) => urls))}`,
    `lost              ${total('lost')}`,
    `doubled           ${total('doubled')}`,
    `charged twice     ${total('chargedTwice')}`,
    `other             ${total('other')}`,
    `late              ${total('late')}`,
    `longest recovery  ${seconds(Math.max(0, ...scenarios.map(({ longestRecoveryMs }) => longestRecoveryMs)))}`,
    `refused with 503  ${refusals}${slowest(slowestRefusal)}`,
    ...found
      .flatMap(listFindings)
      .slice(0, MAX_SHOWN)
      .map((line) => `  ! ${line}`),
  ].join('\n');
}

function allFindings({ scenarios, findings }: ChaosReport): Findings[] {
  return [...scenarios.map((scenario) => scenario.findings), findings];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function slowest(refusal: Refusal | undefined): string {
  if (!refusal) return '';
  return `, the slowest after ${seconds(refusal.ms)}: ${refusal.call} ${JSON.stringify(refusal.json)}`;
}
