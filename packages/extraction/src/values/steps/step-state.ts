import type { ExtractedValue } from '@gleaner/contracts';
import type { JsonReading } from '../../json/read-json.ts';
import type { FieldSteps, PlannedField } from '../../plan/plan.ts';
import type { JsonValue } from '../convert/conversion.ts';
import { WarningLog } from './warning-log.ts';

/** A field that has steps. */
export interface SteppedField {
  readonly field: PlannedField;
  readonly steps: FieldSteps;
}

/** The document (null), or the element at an order of it. */
export type ElementScope = number | null;

/** A record of JSON, which JSONPaths are relative to. */
export interface JsonScope {
  readonly json: JsonValue;
}

/** Source that a field is read from. */
export type Scope = ElementScope | JsonScope;

/** A value that was found for a field, before it is converted. */
export interface Candidate {
  readonly value: JsonValue;
  /** Text that is converted if the value does not convert. */
  readonly spare?: string | undefined;
}

/** A candidate that waits for the others of its field, and the place of its result. */
export interface PendingValue extends Candidate {
  readonly write: (value: ExtractedValue) => void;
}

/** State of the fields that have steps. */
export interface StepState {
  /** Language of fields that name none. */
  readonly locale: string | undefined;
  /** Fields whose JSONPath selected something. */
  readonly selected: Set<PlannedField>;
  /** Texts that were read as JSON, by their place in the document. */
  readonly readings: Map<string, JsonReading>;
  /** Numbers of JSON that are texts, since JavaScript would round them. */
  readonly inexact: Set<string>;
  /** Values that are converted once all of their field are found. */
  readonly pending: Map<PlannedField, PendingValue[]>;
  readonly warnings: WarningLog;
}

/** Starts the steps of an extraction. */
export function startSteps(locale: string | undefined): StepState {
  return {
    locale,
    selected: new Set(),
    readings: new Map(),
    inexact: new Set(),
    pending: new Map(),
    warnings: new WarningLog(),
  };
}
