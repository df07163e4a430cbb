import type { FieldType } from '@gleaner/contracts';
import type { Node } from '../../dom/node.ts';
import { type MarkdownContext, markdownOf } from '../../markdown/markdown-of.ts';
import type { Conversion, JsonValue } from '../convert/conversion.ts';
import type { ExtractionState } from '../extraction-state.ts';
import { rowsOf, tableOf } from '../tables/table-of.ts';
import { elementAt, leavesOut } from './left-out.ts';
import type { SteppedField } from './step-state.ts';

type ElementReader = (element: Node, context: Required<MarkdownContext>) => Conversion;

/** Readers of the types that are made of an element instead of its text. */
const READERS: ReadonlyMap<FieldType, ElementReader> = new Map<FieldType, ElementReader>([
  ['table', tableOf],
  ['rows', rowsOf],
  ['markdown', (element, context) => ({ value: markdownOf(element, context) })],
]);

/** Returns true if the type is made of an element instead of its text. */
export function readsElement(type: FieldType | null): boolean {
  return type !== null && READERS.has(type);
}

/** Returns the value that the type of a field makes of an element; null with a warning if there is none. */
export function readElement(
  { field, steps }: SteppedField,
  order: number,
  state: ExtractionState,
): JsonValue {
  const read = READERS.get(steps.type as FieldType) as ElementReader;
  const isLeftOut = leavesOut(order, steps, state);
  const { base, budget } = state;
  const conversion = read(elementAt(order, state), { base, budget, isLeftOut });
  if (!('problem' in conversion)) return conversion.value;
  state.steps.warnings.add(field, 'VALUE_NOT_CONVERTED', () => conversion.problem);
  return null;
}
