/** Violations found by the checkers; every list is empty when the invariants hold. */
export interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly chargedTwice: string[];
  readonly other: string[];
  /** Steps that took longer than promised; on an overloaded machine this may be the machine's fault. */
  readonly late: string[];
}

/** Creates empty lists. */
export function noFindings(): Findings {
  return { lost: [], doubled: [], chargedTwice: [], other: [], late: [] };
}

/** Returns all violations, worst first. */
export function listFindings({ lost, doubled, chargedTwice, other, late }: Findings): string[] {
  return [...lost, ...doubled, ...chargedTwice, ...other, ...late];
}
