import { attributeOf, isHtmlElement, type Node, NodeKind } from '../dom/node.ts';

/** A list that is being written. */
export interface ListState {
  readonly isOrdered: boolean;
  /** True if items follow one another without empty lines. */
  readonly isTight: boolean;
  /** Character of the markers: another one than that of a list just before, which would continue otherwise. */
  readonly sign: string;
  /** Number of the next item. */
  number: number;
  /** Number of lines of the page at the end of the last item; -1 before the first. */
  endLine: number;
}

/** Markers have at most nine digits. */
const MAX_NUMBER = 999_999_999;

/** Returns the state of a list before its first item. */
export function startList(list: Node, isAfterSame: boolean): ListState {
  const isOrdered = isHtmlElement(list, 'ol');
  const signs = isOrdered ? ['.', ')'] : ['-', '*'];
  return {
    isOrdered,
    isTight: isTight(list),
    sign: signs[isAfterSame ? 1 : 0] as string,
    number: integerOf(list, 'start') ?? 1,
    endLine: -1,
  };
}

/** Returns the marker of the next item, and counts it. */
export function takeMarker(state: ListState, item: Node): string {
  if (!state.isOrdered) return `${state.sign} `;
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
