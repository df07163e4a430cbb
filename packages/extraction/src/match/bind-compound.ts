import type { CompoundSelector, SimpleSelector } from '../css/selector.ts';
import { bindAttribute } from './bind-attribute.ts';
import { bindClass, bindId, bindType } from './bind-name.ts';
import { bindNth, bindOnly } from './bind-nth.ts';
import { bindDir, bindLang } from './language.ts';
import type { MatchRun, Test } from './run.ts';
import { bindState } from './states.ts';

/** Creates one test for all conditions of the compound, and computes the sets that it needs. */
export function bindCompound(compound: CompoundSelector, run: MatchRun): Test {
  const [first, second, ...more] = compound.map((simple) => bindSimple(simple, run));
  if (!first) return () => true;
  if (!second) return first;
  if (more.length === 0) return (order) => first(order) && second(order);
  return (order) => first(order) && second(order) && more.every((test) => test(order));
}

type Binders = {
  readonly [Kind in SimpleSelector['kind']]: (
    simple: Extract<SimpleSelector, { kind: Kind }>,
    run: MatchRun,
  ) => Test;
};

const BINDERS: Binders = {
  universal: () => () => true,
  never: () => () => false,
  unnamespaced:
    (_simple, { document: { elements } }) =>
    (order) =>
      elements[order]?.namespace === '',
  type: bindType,
  id: bindId,
  class: bindClass,
  attribute: bindAttribute,
  state: ({ name }, run) => bindState(name, run),
  lang: ({ value }, run) => bindLang(value, run),
  dir: ({ value }, run) => bindDir(value, run),
  nth: bindNth,
  only: bindOnly,
  scope:
    (_simple, { scope }) =>
    (order) =>
      order === scope,
  is({ list }, run) {
    const set = run.lists.setOf(list, run);
    return (order) => set[order] === 1;
  },
  not({ list }, run) {
    const set = run.lists.setOf(list, run);
    return (order) => set[order] === 0;
  },
  has({ list }, run) {
    const set = run.lists.setOfRelatives(list, run);
    return (order) => set[order] === 1;
  },
};

function bindSimple(simple: SimpleSelector, run: MatchRun): Test {
  // The table is keyed by kind, which TypeScript cannot check here.
  const bind = BINDERS[simple.kind] as (simple: SimpleSelector, run: MatchRun) => Test;
  return bind(simple, run);
}
