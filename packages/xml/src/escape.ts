/** Characters outside of XML 1.0 (https://www.w3.org/TR/xml/#charsets), which no reference can stand for. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes the content of an element as browsers do: https://www.w3.org/TR/DOM-Parsing/#xml-serializing-a-text-node */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => REFERENCES[character] as string);
}

/** Escapes the value of an attribute in double quotes. Its line breaks and tabs become references, since they are read as spaces otherwise. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character] as string);
}

/** Replaces the characters that XML does not have, even escaped: controls, halves of surrogates, U+FFFE and U+FFFF. */
export function replaceForbidden(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd');
}
