import type { Combinator } from '../css/selector.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { createSet, type ElementSet, type MatchRun } from './run.ts';

/** Returns the elements on the right of the combinator from those in `set`, such as children or later siblings. */
export function follow(set: ElementSet, combinator: Combinator, run: MatchRun): ElementSet {
  const reached = createSet(run);
  run.budget.spend(set.length);
  const { origin, isTransitive } = RELATIONS[combinator](run.document);
  for (let order = 0; order < set.length; order++) {
    const from = origin[order] as number;
    if (from >= 0 && (set[from] || (isTransitive && reached[from]))) reached[order] = 1;
  }
  return reached;
}

/** Returns the elements on the left of the combinator from those in `set`, such as parents or earlier siblings. */
export function precede(set: ElementSet, combinator: Combinator, run: MatchRun): ElementSet {
  const reached = createSet(run);
  run.budget.spend(set.length);
  const { origin, isTransitive } = RELATIONS[combinator](run.document);
  for (let order = set.length - 1; order >= 0; order--) {
    const to = origin[order] as number;
    if (to >= 0 && (set[order] || (isTransitive && reached[order]))) reached[to] = 1;
  }
  return reached;
}

/** Relation of each combinator: `origin` is one step to the left; transitive relations take any number of steps. */
const RELATIONS: Readonly<
  Record<Combinator, (document: ParsedDocument) => { origin: Int32Array; isTransitive: boolean }>
> = {
  '>': ({ parents }) => ({ origin: parents, isTransitive: false }),
  ' ': ({ parents }) => ({ origin: parents, isTransitive: true }),
  '+': ({ previous }) => ({ origin: previous, isTransitive: false }),
  '~': ({ previous }) => ({ origin: previous, isTransitive: true }),
};
