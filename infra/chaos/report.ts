/** Violations found by the checkers; every list is empty when the invariants hold. */
export interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly chargedTwice: string[];
  readonly other: string[];
  /** Steps that took longer than promised; on an overloaded machine this may be the machine's fault. */
  readonly late: string[];
}

/** A line of the table of a report, by the names of its columns. */
export type Row = Readonly<Record<string, string | number>>;

/** Result of a run. */
export interface ChaosReport {
  readonly rows: readonly Row[];
  /** Number of injected faults by name. */
  readonly injected: Readonly<Record<string, number>>;
  /** Calls that were answered with 503 and Retry-After, and repeated. */
  readonly refusals: number;
  readonly findings: Findings;
}

const MAX_SHOWN = 30;

/** Creates empty lists. */
export function noFindings(): Findings {
  return { lost: [], doubled: [], chargedTwice: [], other: [], late: [] };
}

/** Returns all violations, worst first. */
export function listFindings({ lost, doubled, chargedTwice, other, late }: Findings): string[] {
  return [...lost, ...doubled, ...chargedTwice, ...other, ...late];
}

/** Returns all violations but steps that took long. */
export function listErrors(findings: Findings): string[] {
  return listFindings({ ...findings, late: [] });
}

/** Adds the violations of a part of a run. */
export function addFindings(all: Findings, part: Findings): void {
  for (const kind of Object.keys(all) as (keyof Findings)[]) all[kind].push(...part[kind]);
}

/** Returns the number of violations of each kind, by its name in the report. */
export function countFindings({ lost, doubled, chargedTwice, other, late }: Findings): Row {
  return {
    lost: lost.length,
    doubled: doubled.length,
    'charged twice': chargedTwice.length,
    other: other.length,
    late: late.length,
  };
}

/** Renders the report: the table of the workload, the counts, and the first violations. */
export function renderReport({ rows, injected, refusals, findings }: ChaosReport): string {
  const counts = { ...injected, 'answered with 503': refusals };
  return [
    '',
    ...renderTable(rows),
    '',
    ...Object.entries(counts).map(([name, count]) => `${String(count).padStart(6)} × ${name}`),
    Object.entries(countFindings(findings))
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', '),
    ...listFindings(findings)
      .slice(0, MAX_SHOWN)
      .map((line) => `  ! ${line}`),
  ].join('\n');
}

function renderTable(rows: readonly Row[]): string[] {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  '),
  );
}
