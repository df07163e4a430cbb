import { attributeOf, isHtmlElement, isListed, Namespace, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';

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

/** Returns true for editable text controls: `readonly` applies to them. */
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

/** Returns the options of each select by its order; options without a select are under -1. */
export function optionsBySelect(document: ParsedDocument): Map<number, Node[]> {
  const selects = nearest(document, (element) => isHtmlElement(element, 'select'));
  const options = document.elements.filter((element) => isHtmlElement(element, 'option'));
  return Map.groupBy(options, ({ order }) => selects[order] as number);
}

/** Returns the options that a select shows: in one line the last selected, or the first enabled. HTML §4.10.7. */
export function shownOptions(select: Node, options: readonly Node[]): readonly Node[] {
  const selected = options.filter((option) => has(option, 'selected'));
  if (has(select, 'multiple')) return selected;
  const shown =
    selected.at(-1) ?? (isList(select) ? undefined : options.find((option) => !isDisabled(option)));
  return shown ? [shown] : [];
}

/** Returns true if the option itself or its group is disabled. */
function isDisabled(option: Node): boolean {
  if (has(option, 'disabled')) return true;
  return option.parent !== null && isHtmlElement(option.parent, 'optgroup') && has(option.parent, 'disabled');
}

const ITEMS = new Set(['option', 'optgroup', 'hr']);

/** Returns true if nothing is chosen, or only the empty placeholder option at the top. */
export function lacksChoice(select: Node, options: readonly Node[], document: ParsedDocument): boolean {
  const [shown] = shownOptions(select, options);
  if (!shown) return true;
  if (shown !== options[0] || isList(select) || optionValueOf(shown) !== '') return false;
  const first = document.elements
    .slice(select.order + 1, shown.order + 1)
    .find((element) => isOneOf(element, ITEMS));
  return first === shown;
}

function isList(select: Node): boolean {
  return has(select, 'multiple') || Number.parseInt(attributeOf(select, 'size') ?? '', 10) > 1;
}

/** Returns the value of an option; exact only as to whether it is empty. */
function optionValueOf(option: Node): string {
  const value = attributeOf(option, 'value');
  if (value !== undefined) return value;
  let text = '';
  for (let child = option.first; child !== null; child = child.next) text += child.value;
  return text.trim();
}

/** For each element, the order of another element, or -1. */
type OrderIndex = Int32Array;

/** Returns for each element its nearest ancestor that meets the condition. */
export function nearest(
  { elements, parents }: ParsedDocument,
  isWanted: (element: Node) => boolean,
): OrderIndex {
  const index = new Int32Array(elements.length).fill(-1);
  for (const order of index.keys()) {
    const parent = parents[order] as number;
    if (parent < 0) continue;
    index[order] = isWanted(elements[parent] as Node) ? parent : (index[parent] as number);
  }
  return index;
}
