import { attributeOf, isHtmlElement, Namespace, type Node, NodeKind } from '../dom/node.ts';
import { FORM_STATES } from './forms/form-states.ts';
import { VALIDITY_STATES } from './forms/validity.ts';
import { lazily, type MatchRun, remember, type Test } from './run.ts';

/** Tests a pseudo-class without an argument. States of a user, a history or a running page match nothing. */
export function bindState(name: string, run: MatchRun): Test {
  const compute = FORM_STATES.get(name) ?? VALIDITY_STATES.get(name);
  if (compute === undefined) return STATES.get(name) ?? (() => false);
  const set = lazily(run, false, () =>
    remember(run, `:${name}`, () => {
      run.budget.spend(4 * run.document.elements.length);
      return compute(run);
    }),
  );
  return ({ order }) => set()[order] === 1;
}

const STATES: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['root', (element) => element.parent?.kind === NodeKind.document],
  ['empty', isEmpty],
  ['link', isLink],
  ['any-link', isLink],
  ['-webkit-any-link', isLink],
  ['defined', isDefined],
  ['open', isOpen],
]);

/** Tests `:empty`, which ignores comments, processing instructions and empty CDATA sections. */
function isEmpty(element: Node): boolean {
  for (let child = element.first; child !== null; child = child.next) {
    if (child.kind === NodeKind.element) return false;
    if (child.kind === NodeKind.text && child.value !== '') return false;
  }
  return true;
}

function isLink(element: Node): boolean {
  if (isHtmlElement(element, 'a') || isHtmlElement(element, 'area')) {
    return attributeOf(element, 'href') !== undefined;
  }
  if (element.name !== 'a' || element.namespace !== Namespace.svg) return false;
  return element.attributes.some(({ name }) => name === 'href');
}

/** Reserved names that look like names of custom elements. HTML §4.13.2. */
const RESERVED_NAMES = new Set(
  'annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name missing-glyph'.split(
    ' ',
  ),
);

/** Tests `:defined`; without scripts, custom elements are never defined. */
function isDefined(element: Node): boolean {
  if (element.namespace !== Namespace.html) return true;
  if (attributeOf(element, 'is') !== undefined) return false;
  return !/^[a-z][^A-Z]*-/.test(element.name) || RESERVED_NAMES.has(element.name);
}

function isOpen(element: Node): boolean {
  const canOpen = isHtmlElement(element, 'details') || isHtmlElement(element, 'dialog');
  return canOpen && attributeOf(element, 'open') !== undefined;
}
