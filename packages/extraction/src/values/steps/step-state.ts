import type { ExtractedValue } from '@gleaner/contracts';
import type { PlannedField } from '../../plan/plan.ts';
import type { JsonValue } from '../convert/conversion.ts';
import { WarningLog } from './warning-log.ts';

/** A value that was found for a field, before it is converted. */
export interface Candidate {
  readonly value: JsonValue;
  /** Text that is converted if the value does not convert. */
  readonly spare?: string;
}

/** A candidate that waits for the others of its field, and the place of its result. */
export interface PendingValue extends Candidate {
  readonly write: (value: ExtractedValue) => void;
}

/** State of the fields that have steps. */
export interface StepState {
  /** Language of fields that name none. */
  readonly locale: string | undefined;
  /** Fields that have at least one candidate. */
  readonly found: Set<PlannedField>;
  /** Values that are converted once all of their field are found. */
  readonly pending: Map<PlannedField, PendingValue[]>;
  readonly warnings: WarningLog;
}

/** Starts the steps of an extraction. */
export function startSteps(locale: string | undefined): StepState {
  return { locale, found: new Set(), pending: new Map(), warnings: new WarningLog() };
}
