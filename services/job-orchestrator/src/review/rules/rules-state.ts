import type { RuleMemory, ToldValue, Values } from './judge-record.ts';

/** Memory of a record, over the runs of a schedule. */
export interface RecordMemory {
  /** Text of its key, and its last page. */
  readonly key: string;
  readonly url: string;
  /** The last known values of the fields that rules read. */
  readonly v: Values;
  /** It was not in the last run that could have had it. */
  readonly gone?: true;
  /** Memory of each rule, by its key. */
  readonly r: Readonly<Record<string, RuleMemory>>;
}

/** A record that a rule tells of. */
export interface ToldRecord {
  readonly key: string;
  readonly url: string;
  readonly values: readonly ToldValue[];
  readonly isRemoved: boolean;
}

/** Records that wait for the end of the digest of a rule. */
export interface Waiting {
  /** Time of the first of them, in milliseconds. */
  readonly since: number;
  readonly records: readonly ToldRecord[];
  /** Number of further ones. */
  readonly more: number;
}

/** Messages of a rule so far. */
export interface RuleHistory {
  readonly told: number;
  readonly lastToldAt?: string;
  readonly lastJobId?: string;
  readonly lastTitle?: string;
  /** Records that wait for its digest. */
  readonly waiting?: Waiting;
}

/** A judged run with the key of its messages: a run that is judged again after a crash tells nothing more. */
export interface JudgedRun {
  readonly jobId: string;
  readonly key: string;
  readonly messages: number;
  /** Time for another run to confirm its findings, in milliseconds. */
  readonly confirmAt?: number;
}

/** Knowledge of the rules of a schedule, as it is stored. */
export interface RulesState {
  /** Field by which the records of each list are matched. */
  readonly keys: Readonly<Record<string, string>>;
  /** Pages by the hash of their name: 1 if content was seen on them, else 0. */
  readonly pages: Readonly<Record<string, 0 | 1>>;
  readonly rules: Readonly<Record<string, RuleHistory>>;
  /** By list, then by the hash of the record. */
  readonly records: Readonly<Record<string, Readonly<Record<string, RecordMemory>>>>;
  readonly judged: readonly JudgedRun[];
  /** Number of runs in a row with a request for another one. */
  readonly confirming?: number;
  /** Records of the last run that are not watched, because there are too many. */
  readonly omitted: number;
}

export const NEW_STATE: RulesState = { keys: {}, pages: {}, rules: {}, records: {}, judged: [], omitted: 0 };

/** Runs that are remembered as judged. */
export const MAX_JUDGED = 50;
/** Records and pages that the rules of one schedule watch, and characters of their values. */
export const MAX_RECORDS = 10_000;
export const MAX_PAGES = 10_000;
export const MAX_CHARACTERS = 4 * 1024 * 1024;
