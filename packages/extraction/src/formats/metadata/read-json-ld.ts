import type { Budget } from '../../budget.ts';
import type { Node } from '../../dom/node.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { readJson } from '../../json/read-json.ts';
import { isUnseen, rawText } from '../../read/text-of.ts';

/** Returns the objects in the scripts, one after the other. Scripts that are not JSON, other values and empty objects are left out. */
export function readJsonLd(scripts: readonly Node[], budget: Budget): JsonValue[] {
  const found: JsonValue[] = [];
  for (const script of scripts) {
    const reading = readJson(rawText(script, isUnseen, budget), budget);
    if (!('value' in reading)) continue;
    const items = Array.isArray(reading.value) ? reading.value : [reading.value];
    budget.spend(items.length);
    for (const item of items) if (isFilledObject(item)) found.push(item);
  }
  return found;
}

function isFilledObject(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const _name in value) return true;
  return false;
}
