import { parseUrl } from '../dom/parse-url.ts';
import { type Conversion, type Converter, quote } from './conversion.ts';

/** Resolves each text as a URL against the base of the page; only http and https count. Equal texts are resolved once. */
export const convertUrls: Converter = (texts, _options, { base, budget }) => {
  const known = new Map<string, Conversion>();
  const resolve = (text: string): Conversion => {
    const url = text.trim() === '' ? null : parseUrl(text, base(), budget);
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return { value: url.href };
    return { problem: `${quote(text)} is not a URL with http or https.` };
  };
  return texts.map((text) => {
    budget.spendReading(text.length);
    const conversion = known.get(text) ?? resolve(text);
    known.set(text, conversion);
    return conversion;
  });
};
