import type { Combinator } from '../css/selector.ts';
import type { Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { createSet, type ElementSet, type MatchRun, type Test } from './run.ts';

/** Combinators that lead over any number of elements. */
export type TransitiveCombinator = ' ' | '~';

/** Returns true if the combinator leads over any number of elements. */
export function isTransitive(combinator: Combinator): combinator is TransitiveCombinator {
  return combinator === ' ' || combinator === '~';
}

/** Returns for each element the order of the one on its left, such as its parent. */
function originOf(combinator: Combinator, { parents, previous }: ParsedDocument): Int32Array {
  return combinator === '>' || combinator === ' ' ? parents : previous;
}

/** An element that must match somewhere to the left, and how it is reached. */
export interface Left {
  readonly matches: Test;
  readonly combinator: TransitiveCombinator;
  readonly dependsOnScope: boolean;
}

/** Tests whether an ancestor or an earlier sibling matches. Answers are remembered, so that each element is tested once. */
export function reachedFrom({ matches, combinator, dependsOnScope }: Left, run: MatchRun): Test {
  const { elements } = run.document;
  const origin = originOf(combinator, run.document);
  let answers: Int32Array | undefined;
  return ({ order }) => {
    if (answers === undefined) {
      // Its memory counts as work.
      run.budget.spend(elements.length);
      answers = new Int32Array(elements.length);
    }
    // The answers in earlier scopes are lower numbers.
    const no = dependsOnScope ? 2 * run.visit + 1 : 1;
    let end = order;
    let answer = answers[end] as number;
    while (answer < no) {
      run.budget.spend(1);
      const left = origin[end] as number;
      if (left < 0) answer = no;
      else if (matches(elements[left] as Node)) answer = no + 1;
      else {
        end = left;
        answer = answers[end] as number;
      }
    }
    for (let known = order; known !== end; known = origin[known] as number) answers[known] = answer;
    answers[end] = answer;
    return answer > no;
  };
}

/** Returns the elements on the left of the combinator from those in `set`, such as parents or earlier siblings. */
export function precede(set: ElementSet, combinator: Combinator, run: MatchRun): ElementSet {
  const reached = createSet(run);
  run.budget.spend(set.length);
  const origin = originOf(combinator, run.document);
  for (let order = set.length - 1; order >= 0; order--) {
    const to = origin[order] as number;
    if (to >= 0 && (set[order] || (isTransitive(combinator) && reached[order]))) reached[to] = 1;
  }
  return reached;
}
