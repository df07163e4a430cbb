import type { Conversion, Converter } from './conversion.ts';
import { quote } from './quote.ts';

/** Resolves each text as a URL against the base of the page; only http and https count. Equal texts are resolved once. */
export const convertUrls: Converter = (texts, _options, { base, budget }) => {
  const known = new Map<string, Conversion>();
  return texts.map((text) => {
    budget.spendReading(text.length);
    const conversion = known.get(text) ?? resolve(text, base());
    known.set(text, conversion);
    return conversion;
  });
};

function resolve(text: string, base: string): Conversion {
  const url = text.trim() === '' ? null : URL.parse(text, base);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return { value: url.href };
  return { problem: `${quote(text)} is not a URL with http or https.` };
}
