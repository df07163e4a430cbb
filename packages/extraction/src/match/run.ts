import { _compileUnsafe as compileUnchecked, type Options } from 'css-select';
import { type Selector, SelectorType } from 'css-what';
import type { Budget } from '../budget.ts';
import { foldCase } from '../css/code-points.ts';
import { Namespace, type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';

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
  /** Computed sets and positions independent of :scope, by condition. */
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
    document,
    budget,
    scope: 0,
    visit: 0,
    shared: new Map(),
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

type Adapter = NonNullable<Options<Node, Node>['adapter']>;

interface AdapterOptions {
  readonly budget: Budget;
  /** True to return the values of attributes in lower case. */
  readonly ignoresCase: boolean;
}

/**
 * Creates the adapter through which css-select reads our nodes; it charges the budget for every step. Names are exact in XML
 * documents. In HTML documents those of HTML elements are in lower case, as in the tokens, and those of others are compared
 * without case, as in Chromium.
 */
function createAdapter(document: ParsedDocument, { budget, ignoresCase }: AdapterOptions): Adapter {
  const { elements, previous } = document;
  return {
    isTag: (node): node is Node => node.kind === NodeKind.element,
    getName(element) {
      budget.spend(1);
      return hasOwnCase(element, document) ? foldCase(element.name) : element.name;
    },
    getAttributeValue(element, name) {
      const value = attributeIn(element, name, document);
      budget.spendReading(value?.length ?? 0);
      return ignoresCase && value !== undefined ? foldCase(value) : value;
    },
    hasAttrib(element, name) {
      budget.spend(1);
      return attributeIn(element, name, document) !== undefined;
    },
    getParent(element) {
      budget.spend(1);
      return element.parent;
    },
    prevElementSibling({ order }) {
      budget.spend(1);
      return elements[previous[order] as number] ?? null;
    },
    getChildren: uncounted,
    getSiblings: uncounted,
    getText: uncounted,
    removeSubsets: uncounted,
  };
}

/** Returns the value of an attribute without a namespace, whose name is in the case of the tokens. */
export function attributeIn(element: Node, name: string, document: ParsedDocument): string | undefined {
  for (const attribute of element.attributes) {
    if (attribute.namespace) continue;
    if (attribute.name === name) return attribute.value;
    if (hasOwnCase(element, document) && foldCase(attribute.name) === name) return attribute.value;
  }
  return undefined;
}

/** Returns true if the names of the element may have capitals that selectors ignore. */
function hasOwnCase({ namespace }: Node, { isXml }: ParsedDocument): boolean {
  return namespace !== Namespace.html && !isXml;
}

/** Stands for the reads of css-select's own searches, and of pseudo-classes that it is not asked for. */
function uncounted(): never {
  throw new Error('css-select reads the document in a way that the budget does not count.');
}
