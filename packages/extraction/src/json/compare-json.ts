import type { Budget } from '../budget.ts';
import type { CompareOperator } from './json-path.ts';
import type { JsonValue } from './json-value.ts';
import { type Container, isContainer, isList, type ReadonlyObject } from './visit-json.ts';

/** Right side of a comparison and the budget that pays for it. */
export interface Comparison {
  readonly right: JsonValue | undefined;
  readonly budget: Budget;
}

/** Compares two values as filters do; undefined is the value of a query without a node. RFC 9535 §2.3.5.2.2. */
export function compareJson(
  left: JsonValue | undefined,
  operator: CompareOperator,
  { right, budget }: Comparison,
): boolean {
  switch (operator) {
    case '==':
      return areEqual(left, right, budget);
    case '!=':
      return !areEqual(left, right, budget);
    case '<':
      return isLess(left, right, budget);
    case '>':
      return isLess(right, left, budget);
    case '<=':
      return isLess(left, right, budget) || areEqual(left, right, budget);
    case '>=':
      return isLess(right, left, budget) || areEqual(left, right, budget);
  }
}

/** Compares deeply, without recursion. */
function areEqual(left: JsonValue | undefined, right: JsonValue | undefined, budget: Budget): boolean {
  budget.spend(1);
  if (left === undefined || right === undefined || typeof left !== typeof right) return left === right;
  const open: OpenPair[] = [];
  let pair: Pair | undefined = [left, right];
  while (pair !== undefined) {
    if (!areAlike(pair, open, budget)) return false;
    let inner = open.at(-1);
    while (inner && inner.next === inner.size) {
      open.pop();
      inner = open.at(-1);
    }
    pair = inner?.pairAt(inner.next++);
  }
  return true;
}

type Pair = readonly [left: JsonValue, right: JsonValue];

/** Two containers of the same size, whose children are being compared. */
interface OpenPair {
  readonly size: number;
  readonly pairAt: (index: number) => Pair;
  next: number;
}

/** Compares a pair without its children, and opens it if it has any. */
function areAlike([left, right]: Pair, open: OpenPair[], budget: Budget): boolean {
  budget.spendReading(typeof left === 'string' ? left.length : 0);
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right)) return false;
  const pair = isList(left) || isList(right) ? pairLists(left, right) : pairObjects(left, right, budget);
  if (pair) open.push(pair);
  return pair !== undefined;
}

function pairLists(left: Container, right: Container): OpenPair | undefined {
  if (!isList(left) || !isList(right) || left.length !== right.length) return undefined;
  return {
    size: left.length,
    pairAt: (index) => [left[index] as JsonValue, right[index] as JsonValue],
    next: 0,
  };
}

/** Steps of one name of an object. */
const STEPS_PER_NAME = 16;

function pairObjects(left: ReadonlyObject, right: ReadonlyObject, budget: Budget): OpenPair | undefined {
  const names = Object.keys(left);
  const size = Object.keys(right).length;
  budget.spend(STEPS_PER_NAME * (names.length + size));
  if (names.length !== size || !names.every((name) => Object.hasOwn(right, name))) return undefined;
  const pairAt = (index: number): Pair => {
    const name = names[index] as string;
    return [left[name] as JsonValue, right[name] as JsonValue];
  };
  return { size, pairAt, next: 0 };
}

function isLess(left: JsonValue | undefined, right: JsonValue | undefined, budget: Budget): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && precedes(left, right, budget);
}

/** Compares texts by code points; the operator `<` compares by code units. */
function precedes(left: string, right: string, budget: Budget): boolean {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  budget.spend(1 + (at >> 2));
  return at === length
    ? left.length < right.length
    : rankOf(left.charCodeAt(at)) < rankOf(right.charCodeAt(at));
}

/** Ranks surrogates above all other code units, as the characters that they encode. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
