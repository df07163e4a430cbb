import { isLead, readingsAt } from './readings.ts';
import type { Alphabet, Element, SecretForm } from './secret-forms.ts';

/** Place of a secret in a text. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly form: SecretForm;
}

/** So many characters of a secret are enough, whatever comes behind them: the work on a text stays linear in it. */
const ENOUGH = 64;
/** Most places that a form is followed to at the same time. */
const MAX_PLACES = 16;
const [BACKSLASH, PLUS, MINUS, SLASH, UNDERSCORE] = [0x5c, 0x2b, 0x2d, 0x2f, 0x5f];

/** Options of a search. */
export interface SearchOptions {
  /** True for texts that may have been cut: the beginning of a secret is one as well. */
  readonly isCut?: boolean;
}

/** Finds secrets in texts, in all their forms. */
export class SecretMatcher {
  readonly #forms: readonly SecretForm[];
  /** Forms by their first character, in the case that it is compared in. */
  readonly #byFirst = new Map<number, SecretForm[]>();
  readonly #startsWithBackslash: boolean;

  constructor(forms: readonly SecretForm[]) {
    this.#forms = forms;
    for (const form of forms) {
      for (const first of firstsOf(form))
        this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), form]);
    }
    this.#startsWithBackslash = this.#byFirst.has(BACKSLASH);
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  /** Returns the longest secret that begins at a place. */
  matchAt(text: string, at: number, { isCut = false }: SearchOptions = {}): Match | undefined {
    const unit = text.charCodeAt(at);
    const isHalf = unit >= 0xd800 && unit < 0xe000;
    if (!isLead(unit) && !isHalf && !this.#byFirst.has(unit)) return undefined;
    // Of a run of backslashes, the last one is that of an escape.
    if (unit === BACKSLASH && text.charCodeAt(at + 1) === BACKSLASH && !this.#startsWithBackslash)
      return undefined;
    let longest: Match | undefined;
    for (const { code } of readingsAt(text, at)) {
      for (const form of this.#byFirst.get(code) ?? []) {
        const end = follow(text, at, form, isCut);
        if (end === undefined || end <= (longest?.end ?? at)) continue;
        if (isApart(text, { start: at, end, form })) longest = { start: at, end, form };
      }
    }
    return longest && widen(text, longest);
  }
}

/** Returns the characters that a form may begin with. */
function firstsOf({ elements: [first], alphabet }: SecretForm): readonly number[] {
  if (first === undefined) return [];
  if (first === 'space' || first === 'break') return [];
  if (alphabet === 'base64') return first === PLUS || first === SLASH ? [first, urlSafe(first)] : [first];
  const character = String.fromCodePoint(first);
  if (first === 0x20 || first === 0xa0) return [0x20, 0xa0];
  return [...new Set([first, codeOf(character.toUpperCase()), codeOf(character.toLowerCase())])];
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function urlSafe(code: number): number {
  if (code === PLUS) return MINUS;
  return code === SLASH ? UNDERSCORE : code;
}

/** Returns the end of a form that begins at a place; undefined if it is not there. */
function follow(
  text: string,
  at: number,
  { elements, alphabet, telling }: SecretForm,
  isCut: boolean,
): number | undefined {
  let places = [at];
  for (const [index, element] of elements.entries()) {
    const next = places.flatMap((place) => pass(text, place, element, alphabet));
    if (next.length === 0) {
      const isEnough = index >= ENOUGH || (isCut && index >= telling);
      return isEnough ? Math.max(...places) : undefined;
    }
    places = next.length > 1 ? [...new Set(next)].slice(0, MAX_PLACES) : next;
  }
  return Math.max(...places);
}

/** Returns the places behind an element. */
function pass(text: string, at: number, element: Element, alphabet: Alphabet): number[] {
  if (element === 'space') return passSpace(text, at);
  if (element === 'break') return [at, ...passSpace(text, at)];
  const unit = text.charCodeAt(at);
  if (!isLead(unit) && unit < 0x80) return isSame(unit, element, alphabet) ? [at + 1] : [];
  return readingsAt(text, at).flatMap(({ code, end }) => (isSame(code, element, alphabet) ? [end] : []));
}

/** Compares without case: names of hosts and attributes have none. */
function isSame(code: number, element: number, alphabet: Alphabet): boolean {
  if (code === element) return true;
  if (alphabet === 'base64') return urlSafe(element) === code;
  return fold(code) === fold(element);
}

function fold(code: number): number {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  // Editors write no-break spaces.
  if (code === 0xa0) return 0x20;
  return codeOf(String.fromCodePoint(code).toLowerCase());
}

/** Most characters of white space that stand for one. */
const MAX_SPACE = 100;

/** Returns the place behind a run of white space, in any form. */
function passSpace(text: string, at: number): number[] {
  let place = at;
  for (let count = 0; count < MAX_SPACE; count += 1) {
    const space = readingsAt(text, place).find(({ code }) => /\s/.test(String.fromCodePoint(code)));
    if (!space) break;
    place = space.end;
  }
  return place > at ? [place] : [];
}

/** Returns true unless a short value is a part of another word or number. */
function isApart(text: string, { start, end, form: { apart } }: Match): boolean {
  if (!apart) return true;
  const after = readingsAt(text, end)[0];
  if (after && apart.test(String.fromCodePoint(after.code))) return false;
  return !apart.test(characterBefore(text, start));
}

/** Returns the character before a place, also if it is written as an escape. */
function characterBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 10), at);
  const written = /(?:%(?:u[\da-f]{4}|[\da-f]{2})|\\(?:u[\da-f]{4}|x[\da-f]{2}|[bfnrtv]))$/i.exec(
    before,
  )?.[0];
  if (written === undefined) return before.at(-1) ?? '';
  const readings = readingsAt(written, 0).filter(({ end }) => end === written.length);
  return String.fromCodePoint(readings[0]?.code ?? 0x20);
}

const BASE64 = /[\w+/-]/;

/** Adds the characters of base64 on both sides that depend on the secret in part. */
function widen(text: string, match: Match): Match {
  if (match.form.alphabet !== 'base64') return match;
  const { start, end } = match;
  return {
    ...match,
    start: start > 0 && BASE64.test(text[start - 1] ?? '') ? start - 1 : start,
    end: BASE64.test(text[end] ?? '') ? end + 1 : end,
  };
}
