/** What checkers found; every list is empty when the invariants hold. */
export interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly chargedTwice: string[];
  readonly other: string[];
  /** What took longer than promised; on a machine that has no time for it, this is the machine's doing. */
  readonly late: string[];
}

/** Nothing found yet. */
export function noFindings(): Findings {
  return { lost: [], doubled: [], chargedTwice: [], other: [], late: [] };
}

/** Everything that was found, what is worst first. */
export function listFindings({ lost, doubled, chargedTwice, other, late }: Findings): string[] {
  return [...lost, ...doubled, ...chargedTwice, ...other, ...late];
}
