import { attributeOf, isHtmlElement, isListed, Namespace, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { nearest, type OrderIndex } from '../inherit.ts';

const TYPED_TEXT = new Set(['text', 'search', 'tel', 'url', 'email', 'password', 'number']);
const DATES = new Set(['date', 'month', 'week', 'time', 'datetime-local']);
const OTHERS = new Set('hidden range color checkbox radio file submit image reset button'.split(' '));
const NEVER_REQUIRED = new Set(['hidden', 'range', 'color', 'submit', 'image', 'reset', 'button']);

/** Returns true for an HTML element with one of the names. */
export function isOneOf(element: Node, names: ReadonlySet<string>): boolean {
  return element.namespace === Namespace.html && names.has(element.name);
}

/** Returns true if the element has the attribute, with any value. */
export function has(element: Node, name: string): boolean {
  return attributeOf(element, name) !== undefined;
}

/** Returns the type of an input, `text` if it is missing or unknown; '' for other elements. */
export function inputType(element: Node): string {
  if (!isHtmlElement(element, 'input')) return '';
  const type = attributeOf(element, 'type')?.toLowerCase() ?? 'text';
  return DATES.has(type) || OTHERS.has(type) || TYPED_TEXT.has(type) ? type : 'text';
}

/** Returns true for elements that users type into, to which `readonly` applies. */
export function isTyped(element: Node): boolean {
  const type = inputType(element);
  return TYPED_TEXT.has(type) || DATES.has(type) || isHtmlElement(element, 'textarea');
}

/** Returns true if the placeholder is shown instead of a value. */
export function showsPlaceholder(element: Node): boolean {
  if (!has(element, 'placeholder')) return false;
  if (isHtmlElement(element, 'textarea')) return (element.first?.value ?? '') === '';
  return TYPED_TEXT.has(inputType(element)) && !attributeOf(element, 'value');
}

/** Returns true if the element has `required` and it applies. */
export function isRequired(element: Node): boolean {
  return (
    has(element, 'required') && !isHtmlElement(element, 'button') && !NEVER_REQUIRED.has(inputType(element))
  );
}

/** Returns true if the element submits its form. */
export function isSubmitter(element: Node): boolean {
  const type = inputType(element);
  if (type !== '') return type === 'submit' || type === 'image';
  if (!isHtmlElement(element, 'button')) return false;
  const declared = attributeOf(element, 'type')?.toLowerCase();
  return declared !== 'button' && declared !== 'reset';
}

/** Returns a key of a radio button's group, given each element's form; undefined without a name. */
export function radioGroupOf(radio: Node, forms: Int32Array): string | undefined {
  const name = attributeOf(radio, 'name');
  return name ? `${forms[radio.order]} ${name}` : undefined;
}

/** Returns the form owner of each form control. HTML §4.10.18.3. */
export function formOwners(document: ParsedDocument): OrderIndex {
  const owners = nearest(document, (element) => isHtmlElement(element, 'form'));
  for (const [control, form] of document.parserForms) owners[control.order] = form.order;
  let byId: ReadonlyMap<string, Node> | undefined;
  for (const element of document.elements) {
    const id = isListed(element) ? attributeOf(element, 'form') : undefined;
    if (id === undefined) continue;
    byId ??= firstById(document);
    const named = byId.get(id);
    owners[element.order] = named && isHtmlElement(named, 'form') ? named.order : -1;
  }
  return owners;
}

function firstById({ elements }: ParsedDocument): ReadonlyMap<string, Node> {
  const first = new Map<string, Node>();
  for (const element of elements) {
    const id = attributeOf(element, 'id');
    if (id && !first.has(id)) first.set(id, element);
  }
  return first;
}
