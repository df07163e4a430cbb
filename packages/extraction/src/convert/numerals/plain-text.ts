/** Characters with several forms, each with the form known to the readers of numbers; digits are added. */
const PLAIN = new Map<string, string>(
  [
    // Marks of direction, soft hyphens and spaces without width do not show.
    [
      '',
      '\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff',
    ],
    ['\u00a0', '\u2007\u2008\u2009\u200a\u202f'],
    ['-', '\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d'],
    ['+', '\uff0b'],
    ["'", '\u02bc\u066c\u2018\u2019\uff07'],
    ['.', '\uff0e'],
    [',', '\u060c\uff0c'],
    ['%', '\u066a\uff05'],
    ['(', '\uff08'],
    [')', '\uff09'],
    ['$', '\ufe69\uff04'],
    ['£', '\uffe1'],
    ['¥', '\uffe5'],
    ['₩', '\uffe6'],
  ].flatMap(([plain = '', written = '']) => Array.from(written, (char) => [char, plain] as const)),
);

/**
 * Returns the text with the digits of all scripts as ASCII digits, and with one character for each kind of sign, space and
 * separator. The Arabic decimal separator is kept, because it has one meaning only.
 */
export function toPlainText(text: string): string {
  return text.replace(/[\u0080-\u{10ffff}]/gu, plainChar);
}

function plainChar(char: string): string {
  const known = PLAIN.get(char);
  if (known !== undefined) return known;
  const plain = IS_DIGIT.test(char) ? String(digitOf(char)) : char;
  if (plain !== char) PLAIN.set(char, plain);
  return plain;
}

const IS_DIGIT = /^\p{Nd}$/u;

/** Returns the value of a digit: Unicode keeps the decimal digits of a script together, from zero to nine. */
function digitOf(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  let first = code;
  while (IS_DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}
