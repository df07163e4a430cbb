import { attributeOf, isHtmlElement, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { nearest } from '../inherit.ts';
import { has, isOneOf } from './form-control.ts';

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
