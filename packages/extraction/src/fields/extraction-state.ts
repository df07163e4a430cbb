import type { ExtractedData, ExtractedValue } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import type { JsonValue } from '../convert/conversion.ts';
import type { SelectorList } from '../css/selector.ts';
import type { BaseUrl } from '../dom/parse-url.ts';
import type { JsonReading } from '../json/read-json.ts';
import type { MatchRun } from '../match/run.ts';
import type { FieldSteps, PlannedField } from '../plan/plan.ts';
import type { MatchLog } from './match-log.ts';
import { WarningLog } from './warning-log.ts';

/** Finds the matches of a list in the document, or in the element at an order of it. */
export type Finder = (scope: number | null) => readonly number[];

/** A list, and whether it must be matched for each scope. */
export interface FindableList {
  readonly list: SelectorList;
  /** True if the list uses :scope. */
  readonly usesScope: boolean;
}

/** State of one extraction. */
export interface ExtractionState {
  readonly run: MatchRun;
  /** Returns the base of relative URLs. */
  readonly base: () => BaseUrl;
  readonly budget: Budget;
  /** Texts of captured responses, by the names of the captures. */
  readonly captured: ReadonlyMap<string, readonly string[]>;
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

interface StepState {
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
