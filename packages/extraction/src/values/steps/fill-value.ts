import type { ExtractedValue } from '@gleaner/contracts';
import { jsonText } from '../../json/json-text.ts';
import { spendJson } from '../../json/spend-json.ts';
import { findPattern } from '../../pattern/find-pattern.ts';
import type { PlannedField } from '../../plan/plan.ts';
import type { JsonValue } from '../convert/conversion.ts';
import { isConvertible } from '../convert/converters.ts';
import { quote } from '../convert/quote.ts';
import type { ExtractionState } from '../extraction-state.ts';
import type { Candidate, PendingValue, SteppedField } from './step-state.ts';

/** A candidate, or none where nothing was found, and the place of its result. */
export interface Slot {
  readonly candidate: Candidate | undefined;
  readonly write: (value: ExtractedValue) => void;
}

/** Writes the value of a candidate, or leaves it to be converted with the others of the field. */
export function fillValue(
  { field, steps }: SteppedField,
  { candidate, write }: Slot,
  state: ExtractionState,
): void {
  const value =
    candidate && candidate.value !== null ? matchPattern({ field, steps }, candidate.value, state) : null;
  if (steps.type === 'boolean') write(value !== null && value !== false);
  else if (value !== null && isConvertible(steps.type))
    defer(field, { value, spare: candidate?.spare, write }, state);
  else {
    const result = value ?? steps.fallback?.value ?? null;
    spendJson(result, state.budget);
    write(result);
  }
}

function matchPattern({ field, steps }: SteppedField, value: JsonValue, state: ExtractionState): JsonValue {
  const { pattern, fallback, type } = steps;
  if (pattern === null) return value;
  const text = jsonText(value, state.budget);
  const found = findPattern(pattern, text, state.budget);
  if (found === null && fallback === null && type !== 'boolean') {
    const describe = () => `${quote(text)} does not match the pattern ${quote(pattern)}.`;
    state.steps.warnings.add(field, 'PATTERN_NO_MATCH', describe);
  }
  return found;
}

/** Cost of a value that waits, and the characters of its text for one step more, so that they cannot fill the memory. */
const STEPS_PER_VALUE = 4;
const CHARS_PER_STEP = 4;

function defer(field: PlannedField, value: PendingValue, { budget, steps }: ExtractionState): void {
  const chars = typeof value.value === 'string' ? value.value.length : 0;
  budget.spend(STEPS_PER_VALUE + Math.ceil(chars / CHARS_PER_STEP));
  const pending = steps.pending.get(field);
  if (pending) pending.push(value);
  else steps.pending.set(field, [value]);
}
