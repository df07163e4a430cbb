import { foldCase } from '../css/code-points.ts';
import type { TypeSelector } from '../css/selector.ts';
import { attributeOf, Namespace } from '../dom/node.ts';
import type { MatchRun, Test } from './run.ts';

/**
 * Tests tag names. HTML documents: in lower case on HTML elements and without case on others, as in Chromium. XML
 * documents: exact local names in any namespace.
 */
export function bindType({ name, exactName }: TypeSelector, { document }: MatchRun): Test {
  const { elements } = document;
  if (document.isXml) return (order) => elements[order]?.name === exactName;
  return (order) => {
    const element = elements[order];
    if (element === undefined) return false;
    if (element.name === name) return true;
    return element.namespace !== Namespace.html && foldCase(element.name) === name;
  };
}

/** Tests ids, without case in quirks mode. */
export function bindId({ value }: { readonly value: string }, { document, budget }: MatchRun): Test {
  const { elements, isQuirks } = document;
  const wanted = isQuirks ? foldCase(value) : value;
  return (order) => {
    const element = elements[order];
    const id = element && attributeOf(element, 'id');
    if (id === undefined || id.length !== wanted.length) return false;
    budget.spendReading(id.length);
    return (isQuirks ? foldCase(id) : id) === wanted;
  };
}

/** Tests class names, without case in quirks mode. */
export function bindClass({ value }: { readonly value: string }, { document, budget }: MatchRun): Test {
  const { elements, isQuirks } = document;
  const wanted = isQuirks ? foldCase(value) : value;
  return (order) => {
    const element = elements[order];
    const names = element && attributeOf(element, 'class');
    if (names === undefined || names.length < wanted.length) return false;
    budget.spendReading(names.length);
    return hasWord(isQuirks ? foldCase(names) : names, wanted);
  };
}

/** Returns true if the list, separated by white space, contains the word. */
export function hasWord(words: string, word: string): boolean {
  if (word === '') return false;
  for (let at = words.indexOf(word); at >= 0; at = words.indexOf(word, at + 1)) {
    if (isBoundary(words, at - 1) && isBoundary(words, at + word.length)) return true;
  }
  return false;
}

function isBoundary(text: string, at: number): boolean {
  return at < 0 || at >= text.length || WHITE_SPACE.has(text.charCodeAt(at));
}

const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0c, 0x0d]);
