import { defined } from '@gleaner/contracts';
import { thinTextOf } from '../../calibrate/shown-text.ts';
import { judgePage, mayBeShell } from '../../classify/verdict/judge-page.ts';
import type { Reading } from '../reading.ts';

/** Kind of page that the document is, and the text of a thin one, by which it is compared with others. */
export const VERDICT: Reading = {
  read({ facts, source, wanted: { kind, askedUrl, baseUrl, engine, layer }, values }) {
    values.verdict = judgePage({ facts, source, askedUrl, url: baseUrl, engine, ...defined({ layer }) });
    values.mayBeShell = mayBeShell({ facts, engine });
    const thinText = kind === 'html' ? thinTextOf(facts) : undefined;
    if (thinText !== undefined) values.thinText = thinText;
  },
};
