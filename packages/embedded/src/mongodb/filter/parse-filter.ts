import { BSONRegExp } from 'bson';
import { type Doc, isDocument, isTrue } from '../bson/bson-types.ts';
import { commandError, notServed } from '../command-error.ts';

/** A filter as a tree, which the matcher compiles and the planner reads. */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'field'; readonly path: string; readonly operator: string; readonly operand: unknown }
  | { readonly kind: 'not'; readonly node: FilterNode };

/** Parses a filter document into a tree. Throws BadValue for a filter that MongoDB's parser rejects. */
export function parseFilter(filter: Doc): FilterNode {
  const nodes = Object.entries(filter).flatMap(([key, value]) =>
    key.startsWith('$') ? [parseTopLevel(key, value)] : parseField(key, value),
  );
  return nodes.length === 1 ? (nodes[0] as FilterNode) : { kind: 'and', nodes };
}

/** Parses the conditions on one value, as in `{$gt: 1, $lt: 5}`; also the operand of `$pull`. */
export function parseConditions(path: string, conditions: Doc): FilterNode[] {
  return Object.entries(conditions).map(([operator, operand]) => parseCondition(path, operator, operand));
}

/** Returns whether a value in a filter is a document of operators rather than a value to equal. */
export function isConditions(value: unknown): value is Doc {
  return isDocument(value) && (Object.keys(value)[0]?.startsWith('$') ?? false);
}

function parseTopLevel(key: string, operand: unknown): FilterNode {
  if (key === '$and') return { kind: 'and', nodes: parseBranches(key, operand) };
  if (key === '$or') return { kind: 'or', nodes: parseBranches(key, operand) };
  throw commandError(
    'BadValue',
    `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  );
}

function parseBranches(operator: string, operand: unknown): FilterNode[] {
  if (!Array.isArray(operand)) throw commandError('BadValue', `${operator} must be an array`);
  if (operand.length === 0) throw commandError('BadValue', '$and/$or/$nor must be a nonempty array');
  return operand.map((branch) => {
    if (!isDocument(branch)) throw commandError('BadValue', '$or/$and/$nor entries need to be full objects');
    return parseFilter(branch);
  });
}

function parseField(path: string, value: unknown): FilterNode[] {
  if (isConditions(value)) return parseConditions(path, value);
  refusePatterns([value]);
  return [{ kind: 'field', path, operator: '$eq', operand: value }];
}

const CONDITIONS = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$exists', '$regex', '$size']);

function parseCondition(path: string, operator: string, operand: unknown): FilterNode {
  if (operator !== '$eq') refusePatterns(Array.isArray(operand) ? operand : [operand]);
  if (operator === '$ne') return negated(path, '$eq', operand);
  if (operator === '$nin') return negated(path, '$in', operand);
  // Negated as a whole: a path may lead to several places, and none of them may be there.
  if (operator === '$exists' && !isTrue(operand)) return negated(path, '$exists', true);
  if (operator === '$regex' && typeof operand !== 'string')
    throw commandError('BadValue', '$regex has to be a string');
  if (!CONDITIONS.has(operator)) throw commandError('BadValue', `unknown operator: ${operator}`);
  return { kind: 'field', path, operator, operand };
}

/** Throws for a regular expression where MongoDB takes it for a pattern; a `$regex` is served as a string. */
function refusePatterns(values: readonly unknown[]): void {
  if (values.some((value) => value instanceof BSONRegExp)) throw notServed('a pattern that is not a string');
}

function negated(path: string, operator: string, operand: unknown): FilterNode {
  return { kind: 'not', node: { kind: 'field', path, operator, operand } };
}
