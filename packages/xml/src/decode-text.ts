const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Matches a reference to a character or an entity; ampersands without one are text. */
const REFERENCE = /&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,8})|([\p{L}_:][^\s&;<>"'#=?/]{0,63}));/gu;
/** Matches a character that is not allowed in XML. */
const FORBIDDEN = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu;

/** Replaces references. An entity without a text stays as it is written. */
export function decodeReferences(text: string, textOf?: (name: string) => string | undefined): string {
  if (!text.includes('&')) return text;
  return text.replace(
    REFERENCE,
    (reference, decimal?: string, hexadecimal?: string, name?: string): string => {
      if (name !== undefined) return PREDEFINED.get(name) ?? textOf?.(name) ?? reference;
      return characterOf(
        decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number.parseInt(decimal, 10),
      );
    },
  );
}

/** Leaves out the characters that XML forbids, and writes each line break as a line feed. */
export function cleanText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/\r\n?/g, '\n');
}

function characterOf(code: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\uFFFD';
  return String.fromCodePoint(code).replace(FORBIDDEN, '');
}
