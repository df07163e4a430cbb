import { attributeOf, isHtmlElement, Namespace, type Node } from '../../dom/node.ts';
import type { ElementSet, MatchRun } from '../run.ts';
import {
  formOwners,
  has,
  inputType,
  isOneOf,
  isRequired,
  isSubmitter,
  isTyped,
  optionsBySelect,
  radioGroupOf,
  shownOptions,
  showsPlaceholder,
} from './form-control.ts';

/** States of form controls in the parsed document, each computed in one pass. HTML §4.16.3. */
export const FORM_STATES: ReadonlyMap<string, (run: MatchRun) => ElementSet> = new Map([
  ['checked', checked],
  ['default', defaults],
  ['indeterminate', indeterminate],
  ['disabled', disabled],
  [
    'enabled',
    (run) => where(run, (element, order, off) => isOneOf(element, CAN_BE_DISABLED) && !off[order], disabled),
  ],
  ['required', (run) => where(run, (element) => isOneOf(element, CAN_BE_REQUIRED) && isRequired(element))],
  ['optional', (run) => where(run, (element) => isOneOf(element, CAN_BE_OPTIONAL) && !isRequired(element))],
  ['read-write', writable],
  [
    'read-only',
    (run) => where(run, (element, order, on) => element.namespace === Namespace.html && !on[order], writable),
  ],
  ['placeholder-shown', (run) => where(run, showsPlaceholder)],
]);

const CAN_BE_DISABLED = new Set(['button', 'input', 'select', 'textarea', 'optgroup', 'option', 'fieldset']);
const CHOSEN_FROM = new Set(['select', 'optgroup']);
const CHOICES = new Set(['option', 'optgroup']);
const CAN_BE_REQUIRED = new Set(['input', 'select', 'textarea']);
const CAN_BE_OPTIONAL = new Set([...CAN_BE_REQUIRED, 'button']);

type Condition = (element: Node, order: number, other: ElementSet) => boolean;

/** Returns the elements that meet the condition; it may use the set of another state. */
function where(run: MatchRun, accepts: Condition, other: (run: MatchRun) => ElementSet = none): ElementSet {
  const { elements } = run.document;
  const others = other(run);
  return Uint8Array.from(elements, (element, order) => Number(accepts(element, order, others)));
}

function none(): ElementSet {
  return new Uint8Array(0);
}

/** Computes `:checked`: the last checked radio button of a group, checked checkboxes, and the options that selects show. */
function checked(run: MatchRun): ElementSet {
  const { document } = run;
  const forms = formOwners(document);
  const lastOfGroup = new Map<string, number>();
  const set = where(run, (element, order) => {
    if (!has(element, 'checked') || !isCheckable(element)) return false;
    const group = inputType(element) === 'radio' ? radioGroupOf(element, forms) : undefined;
    if (group !== undefined) lastOfGroup.set(group, order);
    return group === undefined;
  });
  for (const order of lastOfGroup.values()) set[order] = 1;
  for (const [order, options] of optionsBySelect(document)) {
    const select = document.elements[order];
    const shown = select
      ? shownOptions(select, options)
      : options.filter((option) => has(option, 'selected'));
    for (const option of shown) set[option.order] = 1;
  }
  return set;
}

function isCheckable(element: Node): boolean {
  return inputType(element) === 'checkbox' || inputType(element) === 'radio';
}

/** Computes `:default`: the first submit button of a form, and controls checked or selected by markup. */
function defaults(run: MatchRun): ElementSet {
  const forms = formOwners(run.document);
  const served = new Set<number>();
  return where(run, (element, order) => {
    if (isHtmlElement(element, 'option')) return has(element, 'selected');
    if (isCheckable(element)) return has(element, 'checked');
    const form = forms[order] as number;
    if (form < 0 || served.has(form) || !isSubmitter(element)) return false;
    served.add(form);
    return true;
  });
}

/** Computes `:indeterminate`: progress bars without a value, and radio buttons of groups without a checked one. */
function indeterminate(run: MatchRun): ElementSet {
  const forms = formOwners(run.document);
  const groupOf = (radio: Node) => radioGroupOf(radio, forms);
  const radios = run.document.elements.filter((element) => inputType(element) === 'radio');
  const decided = new Set(radios.filter((radio) => has(radio, 'checked')).map(groupOf));
  return where(run, (element) => {
    if (isHtmlElement(element, 'progress')) return !has(element, 'value');
    if (inputType(element) !== 'radio' || has(element, 'checked')) return false;
    const group = groupOf(element);
    return group === undefined || !decided.has(group);
  });
}

/**
 * Computes `:disabled` as Chromium does: by the element's own attribute, by an ancestor fieldset unless the element is in
 * its first legend, or, for options and option groups, by the select and option group around them.
 */
export function disabled(run: MatchRun): ElementSet {
  const { elements, parents } = run.document;
  const byFieldset = new Uint8Array(elements.length);
  const bySelect = new Uint8Array(elements.length);
  const off = new Uint8Array(elements.length);
  for (const [order, element] of elements.entries()) {
    const parent = elements[parents[order] as number];
    if (parent) {
      byFieldset[order] = Number(byFieldset[parent.order] === 1 || isDisabledBy(parent, element));
      bySelect[order] = (isOneOf(parent, CHOSEN_FROM) ? off : bySelect)[parent.order] as number;
    }
    if (!isOneOf(element, CAN_BE_DISABLED)) continue;
    const around = isOneOf(element, CHOICES) ? bySelect : byFieldset;
    off[order] = Number(has(element, 'disabled') || around[order] === 1);
  }
  return off;
}

function isDisabledBy(parent: Node, child: Node): boolean {
  if (!isHtmlElement(parent, 'fieldset') || !has(parent, 'disabled')) return false;
  if (!isHtmlElement(child, 'legend')) return true;
  let earlier = child.previous;
  while (earlier !== null && !isHtmlElement(earlier, 'legend')) earlier = earlier.previous;
  return earlier !== null;
}

/** Computes `:read-write`: elements whose text a user can change. */
function writable(run: MatchRun): ElementSet {
  const editable = new Uint8Array(run.document.elements.length);
  return where(
    run,
    (element, order, off) => {
      const parent = run.document.parents[order] as number;
      editable[order] = Number(ownEditable(element) ?? editable[parent] === 1);
      if (isTyped(element)) return !has(element, 'readonly') && !off[order];
      return editable[order] === 1;
    },
    disabled,
  );
}

function ownEditable(element: Node): boolean | undefined {
  if (element.namespace !== Namespace.html) return undefined;
  const value = attributeOf(element, 'contenteditable')?.toLowerCase();
  if (value === 'false') return false;
  return value === '' || value === 'true' || value === 'plaintext-only' ? true : undefined;
}
