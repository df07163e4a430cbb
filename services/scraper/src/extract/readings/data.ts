import { AppError, defined, type ScrapeOptions, toFailure } from '@gleaner/contracts';
import {
  documentWarnings,
  type ExtractionPlan,
  extract,
  extractDefaults,
  planSelectors,
} from '@gleaner/extraction';
import type { OpenDocument, Reading } from '../reading.ts';
import { textsOf } from './captured.ts';

/** Values of the selectors; without selectors and formats, the default data. */
export const DATA: Reading = {
  plan: ({ selectors, locale }: ScrapeOptions) => ({
    plan: selectors ? planSelectors(selectors) : null,
    ...defined({ locale }),
  }),
  read(page) {
    const { document, wanted, budget, values, warnings } = page;
    const { plan, formats, baseUrl, isForModel } = wanted;
    if (plan) {
      readFields(plan, page);
      return;
    }
    warnings.push(...documentWarnings(document));
    if (formats.length === 0 && !isForModel)
      values.dataJson = JSON.stringify(extractDefaults(document, { baseUrl, budget }));
  },
};

function readFields(
  plan: ExtractionPlan,
  { document, wanted, budget, values, warnings }: OpenDocument,
): void {
  const { baseUrl, locale, captured } = wanted;
  const texts = captured && textsOf(captured);
  try {
    const read = extract(document, plan, { baseUrl, budget, ...defined({ locale, captured: texts }) });
    values.dataJson = JSON.stringify(read.data);
    warnings.push(...read.warnings);
  } catch (error) {
    // What kind of page it is says why they are missing.
    if (!(error instanceof AppError) || error.code !== 'REQUIRED_FIELD_MISSING') throw error;
    values.missing = toFailure(error);
  }
}
