/** Outcome of one check. */
export interface Check {
  readonly id: string;
  readonly state: 'ok' | 'warning' | 'failed';
  /** Sentence about what was found. */
  readonly found: string;
  /** Next step to take. */
  readonly remedy?: string;
}
