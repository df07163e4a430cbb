import type { NthSelector } from '../css/selector.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { type ElementSet, lazily, type MatchRun, remember, type Test } from './run.ts';

type Counting = Pick<NthSelector, 'counts' | 'isFromEnd'>;

/** Elements that `of` selects, computed when first needed. */
export interface CountedSet {
  readonly set: () => ElementSet;
  readonly dependsOnScope: boolean;
}

/** Tests `:nth-child()` and related pseudo-classes; css-select would count the siblings of each element again. */
export function bindNth(selector: NthSelector, counted: CountedSet | null, run: MatchRun): Test {
  const { step, offset } = selector;
  const positions =
    counted === null
      ? lazily(run, false, () => positionsOf(selector, run))
      : lazily(run, counted.dependsOnScope, () => count(run, selector, counted.set()));
  return ({ order }) => {
    if (counted?.set()[order] === 0) return false;
    const distance = (positions()[order] as number) - offset;
    return step === 0 ? distance === 0 : distance % step === 0 && distance / step >= 0;
  };
}

/** Tests `:only-child` and `:only-of-type`. */
export function bindOnly({ counts }: Pick<NthSelector, 'counts'>, run: MatchRun): Test {
  const first = lazily(run, false, () => positionsOf({ counts, isFromEnd: false }, run));
  const last = lazily(run, false, () => positionsOf({ counts, isFromEnd: true }, run));
  return ({ order }) => first()[order] === 1 && last()[order] === 1;
}

/** Returns each element's position among its siblings, from 1. */
function positionsOf({ counts, isFromEnd }: Counting, run: MatchRun): Int32Array {
  return remember(run, `${counts} ${isFromEnd}`, () => count(run, { counts, isFromEnd }, null));
}

function count(
  { document, budget }: MatchRun,
  { counts, isFromEnd }: Counting,
  counted: ElementSet | null,
): Int32Array {
  budget.spend(2 * document.elements.length);
  const before = counts === 'type' ? previousOfType(document) : document.previous;
  const positions = new Int32Array(before.length);
  if (isFromEnd) {
    for (let order = before.length - 1; order >= 0; order--) {
      positions[order] = (positions[order] as number) + (counted ? (counted[order] as number) : 1);
      const sibling = before[order] as number;
      if (sibling >= 0) positions[sibling] = positions[order] as number;
    }
    return positions;
  }
  for (let order = 0; order < before.length; order++) {
    const sibling = before[order] as number;
    const own = counted ? (counted[order] as number) : 1;
    positions[order] = own + (sibling >= 0 ? (positions[sibling] as number) : 0);
  }
  return positions;
}

/** Returns for each element the order of the previous sibling with the same name; -1 for the first. */
function previousOfType({ elements, parents }: ParsedDocument): Int32Array {
  const previous = new Int32Array(elements.length).fill(-1);
  const latest = new Map<number, Map<string, number>>();
  for (const { order, name, namespace } of elements) {
    const parent = parents[order] as number;
    const siblings = latest.get(parent) ?? new Map<string, number>();
    latest.set(parent, siblings);
    const type = `${namespace} ${name}`;
    previous[order] = siblings.get(type) ?? -1;
    siblings.set(type, order);
  }
  return previous;
}
