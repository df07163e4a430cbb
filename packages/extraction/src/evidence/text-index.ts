import type { Budget } from '../budget.ts';
import { lowerBound } from '../match/find-elements.ts';

/** Part of a text: from an index up to another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Places that are looked at of one quote. */
const MAX_PLACES = 50;
/** The same, with places that cut a word, such as all letters of a page. */
const MAX_TRIED = 2000;

/** Marks of Markdown, and characters without a meaning for what a text says. */
const DROPPED = /[\s*_`#|\\~>\u00AD\u200B-\u200F\u2060\uFEFF]/u;

/**
 * Index of a text for the search of quotes: in compatibility forms equal in NFKC, without white space and marks of Markdown. Every
 * place is a part of the text as it is.
 */
export class TextIndex {
  readonly text: string;
  readonly #said: string;
  /** For each unit of what is said, where its character begins and ends in the text. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #budget: Budget;

  constructor(text: string, budget: Budget) {
    budget.spend(text.length);
    const { said, from, to } = squeeze(text);
    this.text = text;
    this.#said = said;
    this.#from = from;
    this.#to = to;
    this.#budget = budget;
  }

  /** Returns the places of a text within a part, first to last, that cut neither a word nor a number. */
  find(wanted: string, { from, to }: Range = { from: 0, to: this.text.length }): readonly Range[] {
    const { said } = squeeze(wanted);
    if (said === '') return [];
    const start = lowerBound(this.#from, from);
    const part = this.#said.slice(start, lowerBound(this.#from, to));
    const places: Range[] = [];
    // What is dropped between two letters cannot be most of a place.
    const maxLength = 4 * wanted.length + 200;
    let at = 0;
    for (let tried = 0; tried < MAX_TRIED && places.length < MAX_PLACES; tried += 1) {
      const found = part.indexOf(said, at);
      this.#budget.spend(8 + (((found < 0 ? part.length : found) - at) >> 4));
      if (found < 0) break;
      const place = {
        from: this.#from[start + found] as number,
        to: this.#to[start + found + said.length - 1] as number,
      };
      if (place.to - place.from <= maxLength && !cutsWord(this.text, place)) places.push(place);
      at = found + 1;
    }
    return places;
  }
}

function squeeze(text: string): { said: string; from: Int32Array; to: Int32Array } {
  const pieces: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    if (!DROPPED.test(character)) {
      const piece = character < '\u0080' ? character : character.normalize('NFKD').replace(/\s+/g, '');
      for (let unit = 0; unit < piece.length; unit += 1) {
        from.push(at);
        to.push(end);
      }
      pieces.push(piece);
    }
    at = end;
  }
  return { said: pieces.join(''), from: Int32Array.from(from), to: Int32Array.from(to) };
}

const WORD = /[\p{L}\p{N}\p{M}]/u;
/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** With fractions and exponents: 2 is not what 2½ says. */
const DIGIT = /\p{N}/u;
const SEPARATOR = /[.,'\u2019\u066B\u066C\u00A0\u202F]/u;

/** Returns true for a part that begins or ends within a word or a number. */
function cutsWord(text: string, { from, to }: Range): boolean {
  const [beforeLast, before, first] = [
    text.charAt(from - 2),
    characterBefore(text, from),
    characterAt(text, from),
  ];
  const [last, after, afterNext] = [characterBefore(text, to), characterAt(text, to), text.charAt(to + 1)];
  return (
    joins(before, first) ||
    joins(last, after) ||
    (DIGIT.test(first) && SEPARATOR.test(before) && DIGIT.test(beforeLast)) ||
    (DIGIT.test(last) && SEPARATOR.test(after) && DIGIT.test(afterNext))
  );
}

/** Returns true for two letters of a word, or two digits of a number. */
function joins(one: string, next: string): boolean {
  if (!WORD.test(one) || !WORD.test(next)) return false;
  if (DIGIT.test(one) || DIGIT.test(next)) return DIGIT.test(one) && DIGIT.test(next);
  return !UNSPACED.test(one) && !UNSPACED.test(next);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1);
}
