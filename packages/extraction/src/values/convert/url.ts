import type { Converter } from './conversion.ts';
import { quote } from './quote.ts';

/** Resolves each text as a URL against the base of the page; only http and https count. */
export const convertUrls: Converter = (texts, _options, { base, budget }) =>
  texts.map((text) => {
    budget.spendReading(text.length);
    const url = text.trim() === '' ? null : URL.parse(text, base());
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return { value: url.href };
    return { problem: `${quote(text)} is not a URL with http or https.` };
  });
