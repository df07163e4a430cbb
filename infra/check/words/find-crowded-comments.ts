import { type Finding, placeOf } from './finding.ts';
import { readProse } from './read-prose.ts';

const OPENING_WORDS = 14;
const CLAUSE_WORD = /\b(?:that|which|those|what|whose)\b/i;
const INSTEAD =
  'a noun instead of a clause ("Returns the lane of a page", not "Returns that which pages have in common that …")';

/** Returns the doc comments with two or more relative clauses in their opening words. */
export function findCrowdedComments(file: string, source: string): Finding[] {
  return readProse(file, source).flatMap(({ kind, text, start }) => {
    if (kind !== 'doc comment') return [];
    const clauses = [...text.matchAll(/\S+/g)].slice(0, OPENING_WORDS).flatMap(({ 0: word, index }) => {
      const clause = CLAUSE_WORD.exec(word);
      return clause ? [{ word: clause[0], index: start + index + clause.index }] : [];
    });
    const second = clauses[1];
    if (!second) return [];
    const word = clauses.map((clause) => clause.word).join(' … ');
    return [{ file, ...placeOf(source, second.index), word, instead: INSTEAD }];
  });
}
