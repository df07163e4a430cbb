import { _compileUnsafe as compileUnchecked, type Options } from 'css-select';
import { type Selector, SelectorType } from 'css-what';
import type { Budget } from '../budget.ts';
import type { Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { createAdapter } from './adapter.ts';

/** Returns true if an element meets a condition. */
export type Test = (element: Node) => boolean;

/** Set of elements: one byte for each element of the document, 1 if it is in the set. */
export type ElementSet = Uint8Array;

/** State of matching selectors on one document with one :scope element. */
export interface MatchRun {
  readonly document: ParsedDocument;
  readonly budget: Budget;
  /** Order of the :scope element. */
  scope: number;
  /** Rises with each change of :scope. */
  visit: number;
  /** Computed sets and positions that do not depend on :scope, by the conditions that they serve. */
  readonly shared: Map<string, ElementSet | Int32Array>;
  /** Compiles tokens with css-select. */
  readonly compile: (tokens: Selector[], options?: { readonly ignoresCase: boolean }) => Test;
  /** Returns a token for a condition of our own. */
  readonly tokenFor: (test: Test) => Selector;
}

/** Starts a run over a document; :scope is the root element, as in `document.querySelectorAll`. */
export function startRun(document: ParsedDocument, budget: Budget): MatchRun {
  const pseudos: Record<string, Test> = {};
  let count = 0;
  const optionsWith = ({ ignoresCase }: { readonly ignoresCase: boolean }): Options<Node, Node> => ({
    adapter: createAdapter(document, { budget, ignoresCase }),
    pseudos,
    xmlMode: true,
    relativeSelector: false,
  });
  const exact = optionsWith({ ignoresCase: false });
  const folded = optionsWith({ ignoresCase: true });
  return {
    ...{ document, budget, scope: 0, visit: 0, shared: new Map() },
    compile: (tokens, { ignoresCase } = { ignoresCase: false }) =>
      compileUnchecked([tokens], ignoresCase ? folded : exact),
    tokenFor(test) {
      const name = `${count++}`;
      pseudos[name] = (element) => {
        budget.spend(1);
        return test(element);
      };
      return { type: SelectorType.Pseudo, name, data: null };
    },
  };
}

/** Makes the element of that order the :scope element. */
export function enterScope(run: MatchRun, scope: number): void {
  if (run.scope === scope) return;
  run.scope = scope;
  run.visit++;
}

/** Returns a function that computes a value when it is first needed, and again in each scope if it depends on :scope. */
export function lazily<T>(run: MatchRun, dependsOnScope: boolean, compute: () => T): () => T {
  let known: { readonly value: T; readonly visit: number } | undefined;
  return () => {
    if (known === undefined || (dependsOnScope && known.visit !== run.visit)) {
      known = { value: compute(), visit: run.visit };
    }
    return known.value;
  };
}

/** Creates an empty set; its memory counts as work. */
export function createSet({ document, budget }: MatchRun): ElementSet {
  budget.spend(1 + (document.elements.length >> 1));
  return new Uint8Array(document.elements.length);
}

/** Returns the cached value, or computes and caches it. */
export function remember<T extends ElementSet | Int32Array>(
  { shared }: MatchRun,
  key: string,
  compute: () => T,
): T {
  const known = shared.get(key);
  if (known) return known as T;
  const value = compute();
  shared.set(key, value);
  return value;
}
