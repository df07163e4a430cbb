import { LIMITS, type Rule } from '@gleaner/contracts';
import type { ToldByRule } from './judge-rules.ts';
import type { ToldRecord, Waiting } from './rules-state.ts';

/** Records of a rule after a run: the told and the waiting ones. */
export interface Gathered {
  readonly told: ToldByRule | undefined;
  readonly waiting: Waiting | undefined;
}

/** Characters of the records that wait, of all rules of a schedule. */
const MAX_CHARACTERS = 1024 * 1024;

/** Gathers the records of the rules of a schedule, for messages at once or for digests. */
export class Digests {
  readonly #nowMs: number;
  #left = MAX_CHARACTERS;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** Adds the records of a run to the waiting ones of a rule. Once its digest is over, or was given up, all are told. */
  gather(
    { digest = 0 }: Pick<Rule, 'digest'>,
    found: ToldByRule | undefined,
    before: Waiting | undefined,
  ): Gathered {
    if (!before && digest === 0) return { told: found, waiting: undefined };
    const records = [...(before?.records ?? []), ...(found?.records ?? [])];
    if (records.length === 0) return { told: undefined, waiting: undefined };
    const more = (before?.more ?? 0) + (found?.more ?? 0);
    // Where a clock was set back, the digest begins again and does not wait for it.
    const since = Math.min(before?.since ?? this.#nowMs, this.#nowMs);
    if (this.#nowMs - since >= digest) return { told: { records, more }, waiting: undefined };
    const fitting = this.#takeFitting(records);
    return {
      told: undefined,
      waiting: { since, records: fitting, more: more + records.length - fitting.length },
    };
  }

  #takeFitting(records: readonly ToldRecord[]): ToldRecord[] {
    return records.slice(0, LIMITS.maxToldPerRun).filter((record) => {
      this.#left -= JSON.stringify(record).length;
      return this.#left >= 0;
    });
  }
}
