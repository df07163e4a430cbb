import type { PacedJob } from './host-pace.ts';

/** A page that may be dispatched. */
export interface Candidate {
  readonly id: string;
  readonly host: string;
  /** In milliseconds since 1970. */
  readonly notBeforeMs: number;
  /** Workers that died while they had the page. */
  readonly losses: number;
  /** Equal for pages of a host that may be sent together; undefined for pages sent alone. */
  readonly likeness?: string;
}

/** A job that has pages to dispatch, in their order. */
export interface CandidateJob<Page extends Candidate = Candidate> extends PacedJob {
  readonly accountId: string;
  readonly waiting: readonly Page[];
  /** False if none of the waiting pages has lost a worker. */
  readonly hasSuspects: boolean;
  /** True if several pages may be sent together. */
  readonly hasLanes: boolean;
  /** Number of its lanes in flight. */
  readonly lanes: number;
  /** Profile that its pages use. */
  readonly profileId?: string;
  /** It has to be started before its first page is sent. */
  readonly isPending?: boolean;
}
