type Encode = (text: string) => string;

const eachUnit =
  (write: (unit: number) => string): Encode =>
  (text) =>
    Array.from({ length: text.length }, (_none, at) => write(text.charCodeAt(at))).join('');
const eachPoint =
  (write: (code: number) => string): Encode =>
  (text) =>
    Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join('');
const hex = (code: number, digits = 0) => code.toString(16).padStart(digits, '0');
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '/': '&sol;',
  '+': '&plus;',
  '#': '&num;',
  '!': '&excl;',
  '\u00a0': '&nbsp;',
  ä: '&auml;',
};
const named: Encode = (text) => Array.from(text, (character) => NAMED[character] ?? character).join('');
const markup: Encode = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const percent: Encode = (text) => encodeURIComponent(text.toWellFormed());

/** Forms in which pages, frameworks, URLs, HTML, JSON, headers and encodings write a text. */
export const ENCODERS: Readonly<Record<string, Encode>> = {
  text: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  NFC: (text) => text.normalize('NFC'),
  NFD: (text) => text.normalize('NFD'),
  'white space of HTML': (text) => text.trim().replace(/\s+/g, ' '),
  'no-break spaces': (text) => text.replaceAll(' ', '\u00a0'),
  'no-break spaces of HTML': (text) => markup(text).replaceAll(' ', '&nbsp;'),
  encodeURIComponent: percent,
  'percent in lower case': (text) => percent(text).replace(/%../g, (each) => each.toLowerCase()),
  'percent of RFC 3986': (text) => percent(text).replace(/[!'()*]/g, (each) => `%${hex(each.charCodeAt(0))}`),
  'percent of every byte': (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  encodeURI: (text) => encodeURI(text.toWellFormed()),
  'a query': (text) =>
    new URL(`http://h/?${text.toWellFormed().replaceAll('#', '%23').replaceAll('&', '%26')}`).search.slice(1),
  'a form': (text) => new URLSearchParams({ v: text }).toString().slice(2),
  escape: (text) =>
    eachUnit((unit) =>
      unit > 0xff
        ? `%u${hex(unit, 4)}`
        : /\w/.test(String.fromCharCode(unit))
          ? String.fromCharCode(unit)
          : `%${hex(unit, 2)}`,
    )(text),
  markup: markup,
  'markup by names': named,
  'decimal references': eachPoint((code) => `&#${code};`),
  'decimal references with zeros': eachPoint((code) => `&#0${code};`),
  'hexadecimal references': eachPoint((code) => `&#x${hex(code)};`),
  'hexadecimal references in upper case': eachPoint((code) => `&#X${hex(code).toUpperCase()};`),
  json,
  'JSON with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'JSON with escaped markup': (text) =>
    json(text).replace(/[<>&'+/]/g, (each) => `\\u${hex(each.charCodeAt(0), 4)}`),
  'JSON in ASCII': (text) =>
    json(text).replace(/[\u0080-\uffff]/g, (each) => `\\u${hex(each.charCodeAt(0), 4)}`),
  'escapes of every unit': eachUnit((unit) => `\\u${hex(unit, 4)}`),
  'escapes of every unit in upper case': eachUnit((unit) => `\\u${hex(unit, 4).toUpperCase()}`),
  'escapes of code points': eachPoint((code) => `\\u{${hex(code)}}`),
  'escapes of bytes': eachUnit((unit) => (unit > 0xff ? `\\u${hex(unit, 4)}` : `\\x${hex(unit, 2)}`)),
  'escapes of CSS': eachPoint((code) => `\\${hex(code)} `),
  'identifiers of CSS': (text) =>
    text.replace(
      /[^\w\u0080-\uffff-]/gu,
      (each) => `\\${/[\s]/.test(each) ? `${hex(each.charCodeAt(0))} ` : each}`,
    ),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 of Basic': (text) => `Basic ${Buffer.from(`ada:${text}`).toString('base64')}`,
  'base64 behind one byte': (text) => Buffer.from(`x${text}`).toString('base64'),
  'base64 in URLs': (text) => Buffer.from(`{"p":${JSON.stringify(text)}}`).toString('base64url'),
  'hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'UTF-8 read as Latin-1': (text) => Buffer.from(text).toString('latin1'),
  'JSON in an attribute': (text) => markup(json(text)),
  'JSON in JSON': (text) => json(json(text)),
  'JSON in JSON in an attribute': (text) => markup(json(json(text))),
  'a URL in JSON': (text) => json(percent(text)),
  'a URL in an attribute': (text) => markup(encodeURI(text.toWellFormed())),
  'a URL in a URL': (text) => percent(percent(text)),
  'a URL in a URL in a URL': (text) => percent(percent(percent(text))),
  'JSON in a URL': (text) => percent(json(text)),
  'JSON in a URL in an attribute': (text) => markup(percent(json(text))),
  'markup in JSON': (text) => json(markup(text)),
  'markup in a URL': (text) => percent(markup(text)),
  'markup in markup': (text) => markup(markup(text)),
};

/** Every printable character of ASCII, and others that pages have. */
export const CHARACTERS: readonly string[] = [
  ...Array.from({ length: 0x7e - 0x20 + 1 }, (_none, at) => String.fromCharCode(0x20 + at)),
  ...['ä', 'é', 'ß', 'Ω', '–', '’', '日', '한', '😀', '\u00a0', '\u2028', '\t', '\n'],
];

/** Returns values that have a character at their beginning, within, at their end, and many times. */
export function valuesWith(character: string): readonly string[] {
  return [
    `${character}hunter-2x`,
    `Corr3ct${character}horse`,
    `p4ss${character}${character}w0rd`,
    `swordf1sh${character}`,
    character.repeat(9),
  ];
}
