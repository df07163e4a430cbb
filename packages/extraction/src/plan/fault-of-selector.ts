import { SelectorError } from '../css/selector-error.ts';
import { parseFieldSelector } from './parse-field-selector.ts';

/** Why the text is not a selector that `document.querySelector` takes, in a sentence; undefined where it is one. */
export function faultOfSelector(selector: string): string | undefined {
  try {
    const { value, takesAll } = parseFieldSelector(selector);
    if (value === null && !takesAll) return undefined;
    return 'Nothing is taken here: leave ::text, ::attr(name), ::html and ::all out.';
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
}
