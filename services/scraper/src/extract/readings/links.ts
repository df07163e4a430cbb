import { hashOf } from '@gleaner/extraction';
import { readFindings } from '../../crawl/read-findings.ts';
import type { Reading } from '../reading.ts';

/** Links of a page of a crawl, and how the page is recognized. */
export const LINKS: Reading = {
  needsWhole: ({ findings }) => findings !== undefined,
  read({ document, wanted: { findings, baseUrl }, budget, values }) {
    if (!findings) return;
    const { dataJson = '', formatsJson = '', forModel } = values;
    values.crawl = {
      ...readFindings(document, findings, { baseUrl, budget }),
      dataHash: hashOf(`${dataJson}\n${formatsJson}${forModel?.markdown ?? ''}`),
    };
  },
};
