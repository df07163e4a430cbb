import type { Budget } from '../budget.ts';
import type { JsonValue } from './json-value.ts';
import { childrenOf, isContainer, isList } from './visit-json.ts';

/** Counts a value as output, about as long as its JSON is, without recursion. Throws UNSUPPORTED_CONTENT when over the budget. */
export function spendJson(value: JsonValue, budget: Budget): void {
  if (!isContainer(value)) {
    spendScalar(value, budget);
    return;
  }
  const lister = { budget, listed: new Map() };
  const open: JsonValue[] = [value];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isContainer(node)) {
      spendScalar(node, budget);
      continue;
    }
    budget.spendOutput('[],');
    if (!isList(node)) for (const name of Object.keys(node)) spendScalar(name, budget);
    for (const child of childrenOf(node, lister)) open.push(child);
  }
}

/** Bytes of JSON around a text. */
const QUOTES_AND_COMMA = 3;

function spendScalar(scalar: string | number | boolean | null, budget: Budget): void {
  const text = String(scalar);
  budget.spendReading(text.length);
  budget.spendOutput(text, QUOTES_AND_COMMA);
}
