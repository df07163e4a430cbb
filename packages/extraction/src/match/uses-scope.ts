import type { ComplexSelector, CompoundSelector, SelectorList, SimpleSelector } from '../css/selector.ts';

/** Returns true if a list or a selector inside it uses :scope; if not, its matches are the same for every record. */
export function usesScope(list: SelectorList): boolean {
  return list.some(({ compounds }) => compounds.some(compoundUsesScope));
}

/** Returns true if a compound or a selector inside it uses :scope. */
export function compoundUsesScope(compound: CompoundSelector): boolean {
  return compound.some((simple) => simple.kind === 'scope' || listsOf(simple).some(usesScope));
}

/** Returns the number of conditions of a selector, with those of the selectors inside it. */
export function countConditions({ compounds }: ComplexSelector): number {
  const inside = (list: SelectorList): number =>
    list.reduce((sum, complex) => sum + countConditions(complex), 0);
  return compounds
    .flat()
    .reduce((sum, simple) => listsOf(simple).reduce((count, list) => count + inside(list), sum + 1), 0);
}

function listsOf(simple: SimpleSelector): readonly SelectorList[] {
  if (simple.kind === 'is' || simple.kind === 'not' || simple.kind === 'has') return [simple.list];
  if (simple.kind === 'nth' && simple.of) return [simple.of];
  return [];
}
