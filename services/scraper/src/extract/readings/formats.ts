import { defined, type Format, WORD_FORMAT_NAMES } from '@gleaner/contracts';
import { extractFormats, type FormatToPlan, planFormats } from '@gleaner/extraction';
import { layerSelectors } from '../../browser/overlays/overlay-rules.ts';
import type { Reading } from '../reading.ts';

/** The whole page in other forms, such as Markdown. */
export const FORMATS: Reading = {
  plan: ({ formats = [], overlays = 'keep' }) => ({
    formats: planFormats(overlays === 'keep' ? formats : formats.map(withoutLayers)),
  }),
  needsWhole: ({ formats }) => formats.length > 0,
  read({ document, wanted: { formats, baseUrl }, hidden, budget, values, warnings }) {
    if (formats.length === 0 || values.missing) return;
    const read = extractFormats(document, formats, { baseUrl, budget, ...defined({ hidden }) });
    values.formatsJson = read.json;
    warnings.push(...read.warnings);
  },
};

/** Leaves the layers of consent platforms out of a format of words. */
function withoutLayers(format: Format): FormatToPlan {
  const options = typeof format === 'string' ? { type: format } : format;
  if (!WORD_FORMAT_NAMES.includes(options.type)) return format;
  const exclude = 'exclude' in options && options.exclude ? `${options.exclude},` : '';
  return { ...options, exclude: exclude + layerSelectors() };
}
