import { readJson } from '../../json/read-json.ts';
import type { Converter } from './conversion.ts';
import { quote } from './quote.ts';

/** Parses each text as JSON. */
export const convertJson: Converter = (texts, _options, { budget }) =>
  texts.map((text) => {
    const reading = readJson(text, budget);
    return 'problem' in reading ? { problem: `${quote(text)}: ${reading.problem}` } : reading;
  });
