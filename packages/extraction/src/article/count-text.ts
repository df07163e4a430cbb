const COMMAS = codesOf(',\u060c\ufe50\ufe10\ufe11\u2e41\u2e34\u2e32\uff0c\u3001\u3002');
/** Sentence ends followed by a space, and the ones of scripts without spaces. */
const STOPS = codesOf('.!?\u2026\u061f\u06d4\u0964');
const CLOSED_STOPS = codesOf('\u3002\uff01\uff1f\uff0e');
/** Closing quotation marks and brackets, which come behind the end of a sentence. */
const CLOSING = codesOf('"\')]\u2019\u201d\u00bb\u201c');

function codesOf(text: string): ReadonlySet<number> {
  return new Set([...text].map((character) => character.charCodeAt(0)));
}

const LOWER_A = 97;
const LOWER_Z = 122;

/** Numbers of characters of a text with white space collapsed, of its commas and its ends of sentences. */
export interface TextCount {
  readonly chars: number;
  readonly commas: number;
  readonly stops: number;
}

export function countText(text: string): TextCount {
  let [chars, commas, stops] = [0, 0, 0];
  let [isSpace, isStop] = [true, false];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 160) {
      isSpace = true;
      continue;
    }
    if (isSpace && chars > 0) {
      chars++;
      if (isStop) stops++;
    }
    isSpace = false;
    chars++;
    if (code >= LOWER_A && code <= LOWER_Z) {
      isStop = false;
      continue;
    }
    isStop = STOPS.has(code) || (isStop && CLOSING.has(code));
    if (code === 44 || (code > 1000 && COMMAS.has(code))) commas++;
    if (code > 1000 && CLOSED_STOPS.has(code)) stops++;
  }
  return { chars, commas, stops: isStop ? stops + 1 : stops };
}
