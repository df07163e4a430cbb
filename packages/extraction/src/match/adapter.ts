import type { Options } from 'css-select';
import type { Budget } from '../budget.ts';
import { foldCase } from '../css/code-points.ts';
import { Namespace, type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';

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
export function createAdapter(document: ParsedDocument, { budget, ignoresCase }: AdapterOptions): Adapter {
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
