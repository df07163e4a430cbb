import { type Finding, placeOf } from './finding.ts';
import { RETIRED_OPENING, RETIRED_WORDS, type RetiredWord } from './glossary.ts';
import { type Prose, readProse } from './read-prose.ts';

/** Returns the retired words in the comments, messages and paragraphs of a file, in their order. */
export function findRetiredWords(file: string, source: string): Finding[] {
  const words = RETIRED_WORDS.filter(
    ({ except }) => !except?.some((folder) => file.startsWith(`${folder}/`)),
  );
  return readProse(file, source)
    .flatMap((prose) => findInProse(prose, words))
    .sort((a, b) => a.index - b.index)
    .map(({ index, word, instead }) => ({ file, ...placeOf(source, index), word, instead }));
}

function findInProse({ kind, text, start }: Prose, words: readonly RetiredWord[]) {
  // Patterns are written with one space between words; a line break may have left several.
  const places: number[] = [];
  let plain = '';
  for (let index = 0; index < text.length; index++) {
    if (text[index] === ' ' && (plain === '' || plain.endsWith(' '))) continue;
    places.push(start + index);
    plain += text[index];
  }
  const rules = kind === 'doc comment' ? [RETIRED_OPENING, ...words] : words;
  return rules.flatMap(({ pattern, instead }) =>
    Array.from(plain.matchAll(new RegExp(pattern, 'gi')), ({ 0: word, index }) => ({
      index: places[index] ?? start,
      word: word.trim(),
      instead,
    })),
  );
}
