import type { ExtractedData } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import type { BaseUrl } from '../dom/parse-url.ts';
import type { MatchRun } from '../match/run.ts';
import type { PlannedField } from '../plan/plan.ts';

import type { FindableList, Finder } from './find-matches.ts';
import type { MatchLog } from './match-log.ts';
import type { StepState } from './steps/step-state.ts';

/** State of one extraction. */
export interface ExtractionState {
  readonly run: MatchRun;
  /** Returns the base of relative URLs. */
  readonly base: () => BaseUrl;
  readonly budget: Budget;
  /** Elements that the fields matched. */
  readonly matched: MatchLog;
  /** Finders of the lists, created when first needed. */
  readonly bound: Map<FindableList, Finder>;
  /** State of the fields that have steps. */
  readonly steps: StepState;
  /** Extracts a record from the document, or from the element at an order of it. */
  readonly extractRecord: (
    fields: readonly PlannedField[],
    scope: number | null,
    state: ExtractionState,
  ) => ExtractedData;
}

/** Cost of finding and creating one value of a record, besides reading it. */
export const STEPS_PER_FIELD = 16;

/** Cost of reading a value, besides its text. */
export const STEPS_PER_VALUE = 24;
