/** One way to write a secret, as the characters that a text has to stand for, one after the other. */
export interface SecretForm {
  /** Code points; a run of white space is one element. */
  readonly elements: readonly Element[];
  readonly alphabet: Alphabet;
  /** Shortest beginning that gives the secret away at the end of a cut text. */
  readonly telling: number;
  /** Characters that must not stand beside it, or it is part of another word or number. */
  readonly apart: RegExp | undefined;
  /** True if it may be a name in markup, a key of JSON or a class, which are kept. */
  readonly isName: boolean;
}

/** A code point, or a run of white space; one with a tab or a line break may be missing, as URLs and fields of one line leave them out. */
export type Element = number | 'space' | 'break';

/** Characters of a form that stand for each other. */
export type Alphabet = 'any' | 'base64' | 'hex';

/** Secrets that are shorter may be part of other words and numbers. */
const MIN_UNIQUE_LENGTH = 8;
/** Values are not cut to fewer characters, which texts have everywhere. */
const MIN_LENGTH = 4;

/** Returns the forms of values: themselves and their compositions, what wrong encodings make of them, base64 and hexadecimal digits. */
export function formsOf(values: readonly string[]): SecretForm[] {
  const forms = values.flatMap((value) => [...textFormsOf(value), ...encodedFormsOf(value)]);
  const seen = new Set<string>();
  return forms.filter(({ alphabet, elements }) => {
    const key = `${alphabet} ${elements.join()}`;
    return !seen.has(key) && seen.add(key);
  });
}

function textFormsOf(value: string): SecretForm[] {
  const utf8 = Buffer.from(value);
  const compositions = [value, value.normalize('NFC'), value.normalize('NFD'), value.toWellFormed()];
  // Characters such as "ß" have more than one in upper case.
  if (value.toUpperCase().length !== value.length) compositions.push(value.toUpperCase());
  // UTF-8 that was read as another encoding, and text as a binary body has it.
  const misread = [utf8.toString('latin1'), new TextDecoder('windows-1252').decode(utf8)];
  return [...new Set([...compositions, ...misread])].map((text) => ({
    elements: elementsOf(text),
    alphabet: 'any',
    telling: Math.max(MIN_LENGTH, Math.ceil([...text].length / 2)),
    apart: neighborsOf(value),
    isName: isName(value),
  }));
}

/** Returns the characters of a text without the white space around it and with one element for a run of it, unless little is left. */
function elementsOf(text: string): Element[] {
  const literal = [...text].map((character) => character.codePointAt(0) ?? 0);
  const runs = text.trim().match(/\s+|\S/gu) ?? [];
  if (runs.length < MIN_LENGTH) return literal;
  return runs.map((run) => {
    if (/\S/u.test(run)) return run.codePointAt(0) ?? 0;
    return /[\t\n\r]/.test(run) ? 'break' : 'space';
  });
}

/** Returns the characters that a short value of letters or of digits alone does not stand beside. */
function neighborsOf(value: string): RegExp | undefined {
  if (value.length >= MIN_UNIQUE_LENGTH) return undefined;
  if (/^\p{N}+$/u.test(value)) return /\p{N}/u;
  return /^\p{L}+$/u.test(value) ? /\p{L}/u : undefined;
}

/** Longest word that is taken for a name. */
const MAX_NAME = 16;

/** Returns true for values such as "main" or "data-id": markup has such names everywhere. */
function isName(value: string): boolean {
  if (value.length < MIN_UNIQUE_LENGTH) return /^[a-z][\w-]*$/i.test(value);
  return value.length <= MAX_NAME && /^[a-z]+(?:[-_][a-z]+)*$/i.test(value);
}

function encodedFormsOf(value: string): SecretForm[] {
  const json = JSON.stringify(value).slice(1, -1);
  const texts = [value, ...(json === value ? [] : [json])];
  const isLatin = [...value].every((character) => character <= '\u00ff');
  const bytes = [
    ...texts.map((text) => Buffer.from(text)),
    ...(isLatin ? [Buffer.from(value, 'latin1')] : []),
  ];
  return bytes.flatMap((each) => [
    ...[0, 1, 2].map((offset) => encodedForm(base64Of(each, offset), 'base64')),
    encodedForm(each.toString('hex'), 'hex'),
  ]);
}

function encodedForm(text: string, alphabet: Alphabet): SecretForm {
  const elements = [...text].map((character) => character.charCodeAt(0));
  return { elements, alphabet, telling: elements.length, apart: undefined, isName: false };
}

/** Returns the characters of base64 that depend on the bytes alone, behind so many others. */
function base64Of(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const from = Math.ceil((offset * 8) / 6);
  const to = Math.floor(((offset + bytes.length) * 8) / 6);
  return text.slice(from, to);
}
