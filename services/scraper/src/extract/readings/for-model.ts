import { readForModel } from '@gleaner/extraction';
import type { Reading } from '../reading.ts';

/** Bytes of a page that a model reads: some 30,000 tokens. */
const MAX_PAGE_BYTES = 120_000;

/** The page as a model reads it, with what its answer is checked against. */
export const FOR_MODEL: Reading = {
  plan: ({ extract }) => (extract ? { isForModel: true } : {}),
  needsWhole: ({ isForModel = false }) => isForModel,
  read({ document, wanted: { isForModel, baseUrl }, hidden, budget, values }) {
    if (!isForModel || values.missing) return;
    values.forModel = readForModel(document, { baseUrl, budget, hidden, maxBytes: MAX_PAGE_BYTES });
  },
};
