import { type Doc, isDocument, isNumeric } from '../bson/bson-types.ts';
import { areEqual, compareValues, typeRank } from '../bson/compare-values.ts';
import { toDouble } from '../bson/numbers.ts';
import { MISSING, someAtPath } from '../bson/paths.ts';
import { commandError, locationError } from '../command-error.ts';
import { type FilterNode, isConditions, parseConditions, parseFilter } from './parse-filter.ts';

/** Returns whether a document matches. */
export type Matcher = (document: Doc) => boolean;

/** A test of the value at the end of a path: a BSON value or MISSING. */
export type ValueTest = (value: unknown) => boolean;

/** Compiles a filter document into a function. Throws BadValue for a filter that MongoDB's parser rejects. */
export function compileFilter(filter: Doc): Matcher {
  return compileNode(parseFilter(filter));
}

/** Compiles a parsed filter into a function. */
export function compileNode(node: FilterNode): Matcher {
  if (node.kind === 'field') return compileField(node.path, node.operator, node.operand);
  if (node.kind === 'not') {
    const matches = compileNode(node.node);
    return (document) => !matches(document);
  }
  const matchers = node.nodes.map(compileNode);
  return node.kind === 'and'
    ? (document) => matchers.every((matches) => matches(document))
    : (document) => matchers.some((matches) => matches(document));
}

/** Compiles the operand of `$pull` (conditions, or a filter for documents) into a test of one value. */
export function compileElementFilter(criteria: Doc): ValueTest {
  if (isConditions(criteria) && !/^\$(and|or)$/.test(Object.keys(criteria)[0] as string)) {
    const matches = compileNode({ kind: 'and', nodes: parseConditions('value', criteria) });
    return (value) => matches({ value });
  }
  const matches = compileFilter(criteria);
  return (value) => (isDocument(value) || Array.isArray(value)) && matches(value as Doc);
}

function compileField(path: string, operator: string, operand: unknown): Matcher {
  const parts = path.split('.');
  const predicate = PREDICATES[operator];
  if (predicate === undefined) throw commandError('BadValue', `unknown operator: ${operator}`);
  const test = predicate(operand);
  return (document) => someAtPath(document, parts, test);
}

/** Query operators on a field, by name; negations are made from these by the parser. */
export const PREDICATES: Readonly<Record<string, (operand: unknown) => ValueTest>> = {
  $eq: (operand) => orElement(equals(operand)),
  $in: (operand) => orElement(isIn(operand)),
  $gt: (operand) => orElement(inOrder(operand, (order) => order > 0)),
  $gte: (operand) => orElement(inOrder(operand, (order) => order >= 0)),
  $lt: (operand) => orElement(inOrder(operand, (order) => order < 0)),
  $lte: (operand) => orElement(inOrder(operand, (order) => order <= 0)),
  $exists: () => (value) => value !== MISSING,
  $regex: (operand) => orElement(fitsRegex(operand as string)),
  $size: hasSize,
};

/** A test that an array passes as a whole or by one of its elements. */
function orElement(test: ValueTest): ValueTest {
  return (value) => test(value) || (Array.isArray(value) && value.some(test));
}

function equals(operand: unknown): ValueTest {
  if (operand === null || operand === undefined) {
    return (value) => value === MISSING || value === null || value === undefined;
  }
  typeRank(operand);
  return (value) => value !== MISSING && areEqual(value, operand);
}

/** Only values of the operand's type compare ("type bracketing"). */
function inOrder(operand: unknown, accepts: (order: number) => boolean): ValueTest {
  if (operand === null || operand === undefined) return accepts(0) ? equals(null) : () => false;
  const rank = typeRank(operand);
  const isNan = isNumeric(operand) && Number.isNaN(toDouble(operand));
  return (value) => {
    if (value === MISSING || typeRank(value) !== rank) return false;
    const order = compareValues(value, operand);
    const isAcrossNan = order !== 0 && isNumeric(value) && (isNan || Number.isNaN(toDouble(value)));
    return !isAcrossNan && accepts(order);
  };
}

function isIn(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw commandError('BadValue', '$in needs an array');
  if (operand.some(isConditions)) throw commandError('BadValue', 'cannot nest $ under $in');
  const strings = new Set(operand.filter((value) => typeof value === 'string'));
  const tests = operand.filter((value) => typeof value !== 'string').map(equals);
  return (value) => (typeof value === 'string' && strings.has(value)) || tests.some((test) => test(value));
}

/** Makes a test for strings from a pattern of PCRE. Throws 51091 for an invalid one. */
function fitsRegex(pattern: string): ValueTest {
  try {
    const regex = new RegExp(pattern);
    return (value) => typeof value === 'string' && regex.test(value);
  } catch (error) {
    throw locationError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

function hasSize(operand: unknown): ValueTest {
  const size = isNumeric(operand) ? toDouble(operand) : Number.NaN;
  if (!Number.isInteger(size)) {
    throw commandError('FailedToParse', 'Failed to parse $size. Expected an integer');
  }
  if (size < 0) throw commandError('FailedToParse', 'Failed to parse $size. Expected a non-negative number');
  return (value) => Array.isArray(value) && value.length === size;
}
