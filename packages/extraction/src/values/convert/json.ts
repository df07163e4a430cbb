import { readJson } from '../../json/read-json.ts';
import type { Converter } from './conversion.ts';
import { quote } from './quote.ts';

/** Parses each text as JSON. */
export const convertJson: Converter = (texts, _options, { budget }) =>
  texts.map((text) => {
    const reading = readJson(text, budget);
    if ('problem' in reading) return { problem: `${quote(text)}: ${reading.problem}` };
    const [first] = reading.inexact ?? [];
    if (first === undefined) return { value: reading.value };
    return {
      value: reading.value,
      inexact: `${first} is kept as text, because a number would lose some of its digits.`,
    };
  });
