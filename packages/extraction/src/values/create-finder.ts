import type { Budget } from '../budget.ts';
import { parseSelector } from '../css/parse-selector.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { startRun } from '../match/run.ts';
import { usesScope } from '../match/uses-scope.ts';
import { bindList, type Finder } from './find-matches.ts';

/**
 * Returns a function that prepares a CSS selector for searching the document. What several selectors need, such as positions
 * among siblings, is computed once. It throws for selectors that are not valid.
 */
export function createFinder(document: ParsedDocument, budget: Budget): (css: string) => Finder {
  const run = startRun(document, budget);
  return (css) => {
    const list = parseSelector(css);
    return bindList({ list, usesScope: usesScope(list) }, run);
  };
}
