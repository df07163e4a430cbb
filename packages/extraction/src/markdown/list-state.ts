import { attributeOf, isHtmlElement, type Node, NodeKind } from '../dom/node.ts';

/** Form of the items of a list, or of the terms of a list of definitions. */
export type ListForm =
  | 'numbered'
  | 'marked'
  /** Terms are strong paragraphs, and definitions are items. */
  | 'definitions'
  /** Terms are items, and definitions are the content of these. */
  | 'entries';

/** A list that is being written. */
export interface ListState {
  readonly form: ListForm;
  /** True if items follow one another without empty lines. */
  readonly isTight: boolean;
  /** True if the terms of entries are strong, since definitions follow them. */
  readonly hasDefinitions: boolean;
  /** Character of the markers. It differs from the marker of a list just before, as that list would continue otherwise. */
  sign: string;
  /** Number of the next item. */
  number: number;
  /** Width of the marker of the last item; 0 before the first. */
  width: number;
  /** True inside of an item. */
  isInItem: boolean;
  /** Number of lines of the page at the end of the last item; -1 before the first. */
  endLine: number;
}

/** Markers have at most nine digits. */
const MAX_NUMBER = 999_999_999;

/** Returns the state of a list before its first item. */
export function startList(list: Node): ListState {
  const hasDefinitions = isHtmlElement(list, 'dl') && definesTerms(list);
  const form = formOf(list, hasDefinitions);
  return {
    form,
    isTight: (form === 'entries' && !hasDefinitions) || isTight(list),
    hasDefinitions,
    sign: '',
    number: integerOf(list, 'start') ?? 1,
    width: 0,
    isInItem: false,
    endLine: -1,
  };
}

/** Returns the characters of which a list has one in its markers; the second one if it follows a list with the first. */
export function signsOf({ form }: ListState): readonly [string, string] {
  return form === 'numbered' ? ['.', ')'] : ['-', '*'];
}

/** Returns the marker of the next item, and counts it. */
export function takeMarker(state: ListState, item: Node): string {
  if (state.form !== 'numbered') return `${state.sign} `;
  const number = Math.min(integerOf(item, 'value') ?? state.number, MAX_NUMBER);
  state.number = number + 1;
  return `${number}${state.sign} `;
}

function integerOf(element: Node, attribute: string): number | undefined {
  const value = attributeOf(element, attribute);
  return value !== undefined && /^\s{0,8}\d{1,9}\s{0,8}$/.test(value) ? Number(value) : undefined;
}

/** Returns true if no item has a paragraph of its own. */
function isTight(list: Node): boolean {
  for (let item = list.first; item !== null; item = item.next) {
    if (item.kind !== NodeKind.element) continue;
    for (let child = item.first; child !== null; child = child.next) {
      if (isHtmlElement(child, 'p')) return false;
    }
  }
  return true;
}

/** A list inside of a definition that has nothing else, and an outline of terms alone, are written as entries. */
function formOf(list: Node, hasDefinitions: boolean): ListForm {
  if (!isHtmlElement(list, 'dl')) return isHtmlElement(list, 'ol') ? 'numbered' : 'marked';
  const { parent } = list;
  const isWhole = parent !== null && isHtmlElement(parent, 'dd') && holdsOnly(DEFINITIONS, parent);
  return isWhole || !hasDefinitions ? 'entries' : 'definitions';
}

/** Returns true if a definition has more than lists of further terms. */
function definesTerms(list: Node): boolean {
  for (let child = list.first; child !== null; child = child.next) {
    const isGroup = isHtmlElement(child, 'div');
    for (let part = isGroup ? child.first : child; part !== null; part = isGroup ? part.next : null) {
      if (isHtmlElement(part, 'dd') && !holdsOnly(DEFINITIONS, part)) return true;
    }
  }
  return false;
}

const DEFINITIONS: ReadonlySet<string> = new Set(['dl']);
const LISTS: ReadonlySet<string> = new Set(['dl', 'ol', 'ul']);
const MAX_CHILDREN = 64;

/** Returns true for a definition that has nothing but lists. */
export function isLists(definition: Node): boolean {
  return holdsOnly(LISTS, definition);
}

/** Returns true for a definition with a few of the named lists and nothing else. */
function holdsOnly(names: ReadonlySet<string>, definition: Node): boolean {
  let [lists, children] = [0, 0];
  for (let child = definition.first; child !== null; child = child.next) {
    const isList = names.has(child.name) && isHtmlElement(child, child.name);
    const isContent =
      child.kind === NodeKind.element || (child.kind === NodeKind.text && child.value.trim() !== '');
    if (++children > MAX_CHILDREN || (isContent && !isList)) return false;
    if (isList) lists++;
  }
  return lists > 0;
}
