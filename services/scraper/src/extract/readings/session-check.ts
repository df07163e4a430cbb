import { type ExtractionPlan, extract, planSelectors } from '@gleaner/extraction';
import type { Reading } from '../reading.ts';

/** Selector that tells whether the session of the page is over. */
export const SESSION_CHECK: Reading = {
  needsWhole: ({ check }) => check !== undefined,
  read({ document, wanted: { check, kind }, budget, values }) {
    if (!check || kind !== 'html') return;
    const { matches } = extract(document, check, { baseUrl: 'about:blank', budget }).data;
    values.matchesCheck = Array.isArray(matches) && matches.length > 0;
  },
};

/** Returns the plan of the selector of a check. */
export function planCheck(selector: string): ExtractionPlan {
  return planSelectors({ matches: { selector, all: true } });
}
