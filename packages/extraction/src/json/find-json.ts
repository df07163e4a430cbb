import type { Budget } from '../budget.ts';
import { compareJson } from './compare-json.ts';
import type { FilterQuery, FilterTest, JsonPath, Operand, PathSegment, PathSelector } from './json-path.ts';
import type { JsonValue } from './json-value.ts';
import {
  type ChildLister,
  type Container,
  childrenOf,
  descend,
  isContainer,
  memberOf,
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

/** Returns a visit of the start node that passes on each node that the segments select. */
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

/** Tests a node in a filter. */
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
