import type { Node } from '../dom/node.ts';
import type { PlannedField } from '../plan/plan.ts';
import { absoluteUrl, attributeValue } from './attribute-value.ts';
import type { ExtractionState } from './extraction-state.ts';
import { htmlOf } from './html-of.ts';
import { textOf } from './text-of.ts';
import { xmlOf } from './xml-of.ts';

/** Kinds of values that are texts of an element. */
export type TextValue = Exclude<PlannedField['value'], { kind: 'record' }>;

/** Returns the text, markup or attribute of an element; null for an attribute that it lacks. */
export function readValue(
  value: TextValue,
  element: Node,
  { run: { document }, budget, base }: ExtractionState,
): string | null {
  if (value.kind === 'text' || value.kind === 'time') return textOf(element, budget);
  if (value.kind === 'html') return document.isXml ? xmlOf(element, budget) : htmlOf(element, budget);
  const raw = attributeValue(element, value.name, document);
  return raw !== null && value.isAbsolute ? absoluteUrl(raw, base(), budget) : raw;
}
