import { BSONRegExp } from 'bson';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { isTrue } from '../bson/is-true.ts';
import { commandError, notServed } from '../errors/command-error.ts';

/** A filter as a tree, which the matcher compiles and the planner reads. */
export type FilterNode =
  | { readonly kind: 'and' | 'or' | 'nor'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'field'; readonly path: string; readonly operator: string; readonly operand: unknown }
  | { readonly kind: 'not'; readonly node: FilterNode }
  | { readonly kind: 'expr'; readonly expression: unknown };

/** Parses a filter document into a tree. Throws BadValue for a filter that MongoDB's parser rejects. */
export function parseFilter(filter: Doc): FilterNode {
  const nodes = Object.entries(filter).flatMap(([key, value]) =>
    key.startsWith('$') ? parseTopLevel(key, value) : parseField(key, value),
  );
  return nodes.length === 1 ? (nodes[0] as FilterNode) : { kind: 'and', nodes };
}

/** Parses the conditions on one value, as in `{$gt: 1, $lt: 5}`; also the operands of `$elemMatch`, `$pull` and `$not`. */
export function parseConditions(path: string, conditions: Doc): FilterNode[] {
  const nodes: FilterNode[] = [];
  for (const [operator, operand] of Object.entries(conditions)) {
    if (operator === '$options') {
      if (!('$regex' in conditions)) throw commandError('BadValue', '$options needs a $regex');
      continue;
    }
    if (operator === '$comment') continue;
    nodes.push(parseCondition(path, operator, operand, conditions));
  }
  return nodes;
}

/** Returns whether a value in a filter is a document of operators rather than a value to equal. */
export function isConditions(value: unknown): value is Doc {
  return isDocument(value) && (Object.keys(value)[0]?.startsWith('$') ?? false) && !isDbRef(value);
}

function isDbRef(value: Doc): boolean {
  const first = Object.keys(value)[0];
  return first === '$ref' || first === '$id' || first === '$db';
}

const TOP_LEVEL: Readonly<Record<string, (operand: unknown) => FilterNode[]>> = {
  $and: (operand) => [{ kind: 'and', nodes: parseBranches('$and', operand) }],
  $or: (operand) => [{ kind: 'or', nodes: parseBranches('$or', operand) }],
  $nor: (operand) => [{ kind: 'nor', nodes: parseBranches('$nor', operand) }],
  $expr: (expression) => [{ kind: 'expr', expression }],
  $comment: () => [],
  $where: () => {
    throw notServed('$where (server-side JavaScript)');
  },
  $text: () => {
    throw commandError('IndexNotFound', 'text index required for $text query');
  },
  $jsonSchema: () => {
    throw notServed('$jsonSchema');
  },
};

function parseTopLevel(key: string, operand: unknown): FilterNode[] {
  const parse = TOP_LEVEL[key];
  if (parse !== undefined) return parse(operand);
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
  const operator = isRegex(value) ? '$regex' : '$eq';
  return [{ kind: 'field', path, operator, operand: value }];
}

/** Returns whether a value is a regular expression of either class. */
export function isRegex(value: unknown): boolean {
  return value instanceof BSONRegExp || value instanceof RegExp;
}

const NOT_SERVED = new Set(['$near', '$nearSphere', '$geoWithin', '$within', '$geoIntersects']);

const CONDITIONS = new Set([
  ...[
    '$eq',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$in',
    '$exists',
    '$type',
    '$mod',
    '$regex',
    '$elemMatch',
    '$size',
  ],
  ...['$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear'],
]);

function parseCondition(path: string, operator: string, operand: unknown, siblings: Doc): FilterNode {
  if (operator === '$ne') return negated(path, '$eq', operand);
  if (operator === '$nin') return negated(path, '$in', operand);
  // Negated as a whole: a path may lead to several places, and none of them may be there.
  if (operator === '$exists' && !isTrue(operand)) return negated(path, '$exists', true);
  if (operator === '$not') return { kind: 'not', node: parseNot(path, operand) };
  if (operator === '$all') return parseAll(path, operand);
  if (operator === '$regex') {
    return { kind: 'field', path, operator, operand: withOptions(operand, siblings.$options) };
  }
  if (NOT_SERVED.has(operator)) throw notServed(`${operator} (geospatial queries)`);
  if (!CONDITIONS.has(operator)) throw commandError('BadValue', `unknown operator: ${operator}`);
  return { kind: 'field', path, operator, operand };
}

function negated(path: string, operator: string, operand: unknown): FilterNode {
  if (operator === '$eq' && isRegex(operand))
    throw commandError('BadValue', "Can't have regex as arg to $ne.");
  return { kind: 'not', node: { kind: 'field', path, operator, operand } };
}

function parseNot(path: string, operand: unknown): FilterNode {
  if (isRegex(operand)) return { kind: 'field', path, operator: '$regex', operand };
  if (!isDocument(operand)) throw commandError('BadValue', '$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw commandError('BadValue', '$not cannot be empty');
  return { kind: 'and', nodes: parseConditions(path, operand) };
}

/** "The $all operator is equivalent to an $and operation of the specified values." */
function parseAll(path: string, operand: unknown): FilterNode {
  if (!Array.isArray(operand)) throw commandError('BadValue', '$all needs an array');
  if (operand.length === 0) return { kind: 'or', nodes: [] };
  const nodes = operand.flatMap((value) =>
    isDocument(value) && '$elemMatch' in value ? parseConditions(path, value) : parseField(path, value),
  );
  return { kind: 'and', nodes };
}

function withOptions(operand: unknown, options: unknown): unknown {
  if (options === undefined) {
    if (typeof operand === 'string' || isRegex(operand)) return operand;
    throw commandError('BadValue', '$regex has to be a string');
  }
  if (typeof options !== 'string') throw commandError('BadValue', '$options has to be a string');
  if (operand instanceof BSONRegExp) {
    if (operand.options !== '') throw commandError('BadValue', 'options set in both $regex and $options');
    return new BSONRegExp(operand.pattern, [...options].sort().join(''));
  }
  if (typeof operand !== 'string') throw commandError('BadValue', '$regex has to be a string');
  return checkedRegex(operand, options);
}

function checkedRegex(pattern: string, options: string): BSONRegExp {
  if (!/^[imsxu]*$/.test(options))
    throw commandError('BadValue', ` invalid flag in regex options: ${options}`);
  return new BSONRegExp(pattern, [...options].sort().join(''));
}
