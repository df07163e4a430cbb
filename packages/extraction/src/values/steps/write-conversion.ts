import type { ExtractedValue } from '@gleaner/contracts';
import { spendJson } from '../../json/spend-json.ts';
import type { Conversion } from '../convert/conversion.ts';
import type { ExtractionState } from '../extraction-state.ts';
import type { SteppedField } from './step-state.ts';

/** Writes a converted value, or the default or null with a warning for a text that does not convert. */
export function writeConversion(
  { field, steps }: SteppedField,
  conversion: Conversion,
  write: (value: ExtractedValue) => void,
  { budget, steps: { warnings } }: ExtractionState,
): void {
  const value = 'problem' in conversion ? null : conversion.value;
  if ('problem' in conversion) warnings.add(field, 'VALUE_NOT_CONVERTED', () => conversion.problem);
  else {
    const { ambiguity, currencyDoubt, inexact } = conversion;
    if (ambiguity !== undefined) warnings.add(field, 'VALUE_AMBIGUOUS', () => ambiguity);
    if (currencyDoubt !== undefined) warnings.add(field, 'CURRENCY_AMBIGUOUS', () => currencyDoubt);
    if (inexact !== undefined) warnings.add(field, 'VALUE_NOT_EXACT', () => inexact);
  }
  const result = value ?? steps.fallback?.value ?? null;
  spendJson(result, budget);
  write(result);
}
