import { compileSelectors } from './compile-selectors.ts';
import type { ExtractionPlan, SelectorMap } from './plan.ts';

const MAX_PLANS = 100;
/** Of the selectors as JSON. Callers who write more than this seldom write it twice. */
const MAX_CHARACTERS = 8192;

const recent = new Map<string, ExtractionPlan>();

/**
 * The plan that `compileSelectors` makes, or throws about; compiled once for the many pages that a caller asks for with the
 * same selectors.
 */
export function planSelectors(selectors: SelectorMap): ExtractionPlan {
  const text = JSON.stringify(selectors);
  const known = recent.get(text);
  if (known) return known;
  const plan = compileSelectors(selectors);
  if (text.length > MAX_CHARACTERS) return plan;
  if (recent.size >= MAX_PLANS) recent.clear();
  recent.set(text, plan);
  return plan;
}
