import type { Budget } from '../budget.ts';
import type {
  CompareOperator,
  FilterQuery,
  FilterTest,
  JsonPath,
  Operand,
  PathSegment,
  PathSelector,
} from './json-path.ts';
import {
  type ChildLister,
  type Container,
  childrenOf,
  descend,
  isContainer,
  isList,
  type JsonValue,
  memberOf,
  type ReadonlyObject,
  someOfSlice,
  type Visit,
} from './visit-json.ts';

/** Steps of one result: results are kept, unlike the nodes on the way to them. */
const STEPS_PER_RESULT = 16;

/**
 * Returns the values of the nodes that the path selects, in its order; a node is listed as often as it is selected. Nothing
 * recurses over the depth of the value, only over the path. Throws UNSUPPORTED_CONTENT when over the budget.
 */
export function findJson(path: JsonPath, value: JsonValue, budget: Budget): JsonValue[] {
  const found: JsonValue[] = [];
  const keep: Visit = (node) => {
    budget.spend(STEPS_PER_RESULT);
    found.push(node);
    return false;
  };
  bindSegments(path.segments, keep, { root: value, budget, listed: new Map() })(value);
  return found;
}

interface Search extends ChildLister {
  readonly root: JsonValue;
}

/** Returns a visit of the start node that passes on each node selected by the segments. */
function bindSegments(segments: readonly PathSegment[], visit: Visit, search: Search): Visit {
  return segments.reduceRight<Visit>((next, { descends, selectors }) => {
    const bound = selectors.map((selector) => bindSelector(selector, next, search));
    const select: Visit = (node) => isContainer(node) && bound.some((selectFrom) => selectFrom(node));
    return descends ? (node) => descend(node, select, search) : select;
  }, visit);
}

/** Visits the children that a selector selects. Returns true to end the search. */
type Select = (node: Container) => boolean;

function bindSelector(selector: PathSelector, visit: Visit, search: Search): Select {
  const { budget } = search;
  switch (selector.kind) {
    case 'name':
    case 'index':
      return (node) => {
        const child = childAt(node, selector, budget);
        return child !== undefined && visit(child);
      };
    case 'slice':
      return (node) => Array.isArray(node) && someOfSlice(node, selector, { visit, budget });
    case 'wildcard':
      return (node) => childrenOf(node, search).some(visit);
    case 'filter': {
      const passes = bindTest(selector.test, search);
      return (node) => childrenOf(node, search).some((child) => passes(child) && visit(child));
    }
  }
}

type SingularSelector = Extract<PathSelector, { kind: 'name' | 'index' }>;

function childAt(node: JsonValue, selector: SingularSelector, budget: Budget): JsonValue | undefined {
  return memberOf(node, selector.kind === 'name' ? selector.name : selector.index, budget);
}

type Test = (node: JsonValue) => boolean;

function bindTest(test: FilterTest, search: Search): Test {
  switch (test.kind) {
    case 'and':
    case 'or': {
      const left = bindTest(test.left, search);
      const right = bindTest(test.right, search);
      return test.kind === 'and' ? (node) => left(node) && right(node) : (node) => left(node) || right(node);
    }
    case 'not': {
      const passes = bindTest(test.test, search);
      return (node) => !passes(node);
    }
    case 'exists':
      return bindExists(test.query, search);
    case 'compare': {
      const left = bindOperand(test.left, search);
      const right = bindOperand(test.right, search);
      return (node) => compareJson(left(node), test.operator, { right: right(node), budget: search.budget });
    }
  }
}

/** Ends the inner search at its first node. */
function bindExists({ startsAtRoot, segments }: FilterQuery, search: Search): Test {
  const find = bindSegments(segments, () => true, search);
  return startsAtRoot ? () => find(search.root) : find;
}

function bindOperand(operand: Operand, { root, budget }: Search): (node: JsonValue) => JsonValue | undefined {
  if (operand.kind === 'literal') return () => operand.value;
  const { startsAtRoot, segments } = operand.query;
  const selectors = segments.flatMap((segment) => segment.selectors) as SingularSelector[];
  return (node) => {
    let value: JsonValue | undefined = startsAtRoot ? root : node;
    for (const selector of selectors) {
      if (value === undefined) return undefined;
      value = childAt(value, selector, budget);
    }
    return value;
  };
}

/** Right side of a comparison and the budget that pays for it. */
interface Comparison {
  readonly right: JsonValue | undefined;
  readonly budget: Budget;
}

/** Compares two values as filters do; undefined is the value of a query without a node. RFC 9535 §2.3.5.2.2. */
function compareJson(
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
