import type { ScheduleChaosReport } from './run-schedule-chaos.ts';

const MAX_SHOWN = 20;

/** Renders the report: the counts and the first violations. */
export function renderScheduleReport({
  faults,
  misdeeds,
  runs,
  ticks,
  webhooks,
}: ScheduleChaosReport): string {
  const found = [...ticks.lost, ...ticks.doubled, ...webhooks.lost, ...webhooks.altered, ...webhooks.other];
  return [
    '',
    `faults injected    ${total(faults)}`,
    ...listed(faults),
    `ticks              ${ticks.expected}`,
    `leapt over         ${ticks.merged}`,
    `runs               ${runs}`,
    `lost               ${ticks.lost.length}`,
    `doubled            ${ticks.doubled.length}`,
    '',
    `receiver's faults  ${total(misdeeds)}`,
    ...listed(misdeeds),
    `events             ${webhooks.events}`,
    `tries              ${webhooks.tries}`,
    `not taken          ${webhooks.lost.length}`,
    `altered            ${webhooks.altered.length}`,
    `other              ${webhooks.other.length}`,
    ...found.slice(0, MAX_SHOWN).map((line) => `  ! ${line}`),
  ].join('\n');
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function listed(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(([name, count]) => `    ${String(count).padStart(4)} × ${name}`);
}
