import { type Token, tokenize } from '../tokens.ts';

/** A name found in a text. */
export interface NameMatch<T> {
  readonly value: T;
  /** Index of the first token after the name. */
  readonly end: number;
}

interface Entry<T> {
  readonly words: readonly string[];
  readonly value: T;
}

/** Names of one or more words, found at a place of a text; the longest name counts. Dots in names are optional. */
export class NameTable<T> {
  readonly #entries = new Map<string, Entry<T>[]>();

  /** Adds a name, unless the table has it. */
  add(name: string, value: T): void {
    const words = wordsOf(tokenize(name));
    const [first] = words;
    if (first === undefined) return;
    const entries = this.#entries.get(first) ?? [];
    this.#entries.set(first, entries);
    if (entries.some((entry) => isSame(entry.words, words))) return;
    entries.push({ words, value });
    entries.sort((one, other) => other.words.length - one.words.length);
  }

  /** Returns the first words of all names. */
  firstWords(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Returns the longest name that begins at a token. */
  match(tokens: readonly Token[], start: number): NameMatch<T> | undefined {
    const entries = this.#entries.get(tokens[start]?.text ?? '');
    for (const { words, value } of entries ?? []) {
      const end = endOf(tokens, start, words);
      if (end !== undefined) return { value, end };
    }
    return undefined;
  }
}

function endOf(tokens: readonly Token[], start: number, words: readonly string[]): number | undefined {
  let index = start + 1;
  for (const word of words.slice(1)) {
    if (tokens[index]?.text === '.') index += 1;
    const token = tokens[index];
    if (!token || keyOf(token) !== word) return undefined;
    index += 1;
  }
  return index;
}

function wordsOf(tokens: readonly Token[]): string[] {
  return tokens.filter(({ text }) => text !== '.').map(keyOf);
}

/** Months of some languages are numbered: "tháng 05" has the name of "tháng 5". */
function keyOf({ kind, text }: Token): string {
  return kind === 'number' ? String(Number(text)) : text;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}

/** Hours of the 24-hour clock, for each hour 0 to 11 of the 12-hour clock, that a period such as "pm" stands for. */
export type Period = readonly (number | undefined)[];
