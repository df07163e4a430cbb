import type { Token } from 'parse5';
import { foldCase } from '../css/code-points.ts';
import type { AttributeOperator, AttributeSelector } from '../css/selector.ts';
import { Namespace, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { hasWord } from './bind-name.ts';
import type { MatchRun, Test } from './run.ts';

/** Tests `[name]` and its comparisons. Names are compared without case in HTML documents, as in Chromium, and exactly in XML. */
export function bindAttribute(selector: AttributeSelector, { document, budget }: MatchRun): Test {
  const { elements } = document;
  const { isAnyNamespace, operator } = selector;
  const accept = operator === null ? () => true : bindValue(selector, operator, document);
  const hasName = document.isXml ? hasExactName : hasFoldedName;
  return (order) => {
    const element = elements[order];
    if (element === undefined) return false;
    for (const attribute of element.attributes) {
      if (!hasName(element, attribute, selector)) continue;
      if (attribute.namespace && !isAnyNamespace) continue;
      budget.spendReading(attribute.value.length);
      if (accept(element, attribute.value)) return true;
    }
    return false;
  };
}

function hasExactName(_element: Node, { name }: Token.Attribute, { exactName }: AttributeSelector): boolean {
  return name === exactName;
}

function hasFoldedName(element: Node, attribute: Token.Attribute, { name }: AttributeSelector): boolean {
  if (attribute.name === name) return true;
  return element.namespace !== Namespace.html && foldCase(attribute.name) === name;
}

function bindValue(
  { name, value, ignoresCase }: AttributeSelector,
  operator: AttributeOperator,
  { isXml }: ParsedDocument,
): (element: Node, actual: string) => boolean {
  const compare = COMPARISONS[operator];
  const folded = foldCase(value);
  const isFoldedInHtml = !isXml && CASELESS_IN_HTML.has(name);
  return (element, actual) => {
    const isFolded = ignoresCase || (isFoldedInHtml && element.namespace === Namespace.html);
    return isFolded ? compare(foldCase(actual), folded) : compare(actual, value);
  };
}

const COMPARISONS: Readonly<Record<AttributeOperator, (actual: string, wanted: string) => boolean>> = {
  '=': (actual, wanted) => actual === wanted,
  '~=': (actual, wanted) => !/[ \t\n\f\r]/.test(wanted) && hasWord(actual, wanted),
  '|=': (actual, wanted) => actual === wanted || actual.startsWith(`${wanted}-`),
  '^=': (actual, wanted) => wanted !== '' && actual.startsWith(wanted),
  '$=': (actual, wanted) => wanted !== '' && actual.endsWith(wanted),
  '*=': (actual, wanted) => wanted !== '' && actual.includes(wanted),
};

/** Attributes of HTML elements in HTML documents whose values are compared without case. HTML §4.16.2. */
const CASELESS_IN_HTML = new Set(
  `accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir
  direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref
  noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype
  vlink`.split(/\s+/),
);
