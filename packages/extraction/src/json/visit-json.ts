import type { Budget } from '../budget.ts';

/** Receives a node. Returns true to end the search. */
export type Visit = (node: JsonValue) => boolean;

/** An object, by names. */
export interface ReadonlyObject {
  readonly [name: string]: JsonValue;
}

/** An array or object. */
export type Container = readonly JsonValue[] | ReadonlyObject;

/** Returns true for arrays and objects. */
export function isContainer(value: JsonValue): value is Container {
  return typeof value === 'object' && value !== null;
}

/** Returns true for arrays; unlike `Array.isArray`, it narrows read-only ones. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Lists the children of nodes within a budget. */
export interface ChildLister {
  readonly budget: Budget;
  /** Values of large objects, which are slow to list. */
  readonly listed: Map<Container, readonly JsonValue[]>;
}

/** Number of members above which an object is listed once and then remembered. */
const MAX_SMALL_SIZE = 32;

const STEPS_PER_MEMBER = 4;
const STEPS_PER_MEMBER_OF_LARGE = 16;

/** Returns the children of a node, for at least one step each. */
export function childrenOf(node: Container, { budget, listed }: ChildLister): readonly JsonValue[] {
  const known = isList(node) ? node : listed.get(node);
  if (known) {
    budget.spend(1 + known.length);
    return known;
  }
  const children = Object.values(node);
  if (children.length <= MAX_SMALL_SIZE) {
    budget.spend(1 + children.length * STEPS_PER_MEMBER);
  } else {
    budget.spend(children.length * STEPS_PER_MEMBER_OF_LARGE);
    listed.set(node, children);
  }
  return children;
}

/** Returns the member of an object with the name, or the item of an array at the index, which counts from its end if negative. */
export function memberOf(node: JsonValue, key: string | number, budget: Budget): JsonValue | undefined {
  budget.spend(1);
  if (typeof key === 'number') return isList(node) ? node.at(key) : undefined;
  const isMember = isContainer(node) && !isList(node) && Object.hasOwn(node, key);
  return isMember ? node[key] : undefined;
}

/** Visits the node and its descendants in document order, as far as they have children, without recursion. */
export function descend(start: JsonValue, visit: Visit, lister: ChildLister): boolean {
  const open: { readonly children: readonly JsonValue[]; next: number }[] = [];
  for (let node: JsonValue | undefined = start; node !== undefined; ) {
    if (isContainer(node)) {
      if (visit(node)) return true;
      open.push({ children: childrenOf(node, lister), next: 0 });
    }
    let inner = open.at(-1);
    while (inner && inner.next === inner.children.length) {
      open.pop();
      inner = open.at(-1);
    }
    node = inner?.children[inner.next++];
  }
  return false;
}

/** Bounds of a slice selector. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number;
}

/** Visits the items of a slice until a visit returns true. RFC 9535 §2.3.4.2.2. */
export function someOfSlice(
  items: readonly JsonValue[],
  { start, end, step }: Slice,
  { visit, budget }: { readonly visit: Visit; readonly budget: Budget },
): boolean {
  const { length } = items;
  const isForward = step > 0;
  const lowest = isForward ? 0 : -1;
  const clamp = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + length : index, lowest), length + lowest);
  const from = start === undefined ? (isForward ? 0 : length - 1) : clamp(start);
  const to = end === undefined ? (isForward ? length : -1) : clamp(end);
  budget.spend(1);
  if (step === 0) return false;
  for (let index = from; isForward ? index < to : index > to; index += step) {
    budget.spend(1);
    if (visit(items[index] as JsonValue)) return true;
  }
  return false;
}

/** A value of JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

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

/** Characters of JSON that are written in one step. */
const CHARS_PER_STEP = 4;

/** Returns the JSON of a value; a text as it is. */
export function jsonText(value: JsonValue, budget: Budget): string {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  budget.spend(1 + Math.ceil(text.length / CHARS_PER_STEP));
  return text;
}
