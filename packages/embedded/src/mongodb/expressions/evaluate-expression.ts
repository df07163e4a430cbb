import { evalExpr, ProcessingMode } from 'mingo/core';
import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { CommandError, commandError, locationError } from '../errors/command-error.ts';
import { EXPRESSION_CONTEXT, isExpressionOperator } from './expression-context.ts';
import { toMingo } from './to-mingo.ts';

/** Options for mingo: strict, without scripts, with our corrections. */
export const MINGO_OPTIONS = {
  idKey: '_id',
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  failOnError: true,
  scriptEnabled: false,
  context: EXPRESSION_CONTEXT,
};

/** Values that an expression can refer to besides the document: `$$NOW` and the variables of `let`. */
export interface ExpressionScope {
  readonly now: Date;
  readonly variables: Readonly<Doc>;
}

/** The result of `$$REMOVE` and of paths that lead to nothing. */
export const REMOVED = undefined;

/**
 * The value of an aggregation expression for a document. Paths, literals and documents keep every BSON type;
 * operators are mingo's, with our own where mingo's differ from MongoDB's.
 */
export function evaluate(expression: unknown, document: Doc, scope: ExpressionScope): unknown {
  if (typeof expression === 'string') {
    return expression.startsWith('$') ? evaluatePath(expression, document, scope) : expression;
  }
  if (Array.isArray(expression)) return expression.map((item) => evaluate(item, document, scope) ?? null);
  if (!isDocument(expression)) return expression;
  const keys = Object.keys(expression);
  const operator = keys[0];
  if (operator?.startsWith('$') !== true) return evaluateFields(expression, document, scope);
  checkOperator(operator, keys);
  if (operator === '$literal') return expression.$literal;
  return evaluateOperator(expression, document, scope);
}

/** Returns the value of a dotted path in an expression: arrays along the path are mapped, and missing values are left out. */
export function resolvePath(value: unknown, parts: readonly string[], depth = 0): unknown {
  if (depth === parts.length) return value;
  if (Array.isArray(value)) {
    return value.map((element) => resolvePath(element, parts, depth)).filter((found) => found !== undefined);
  }
  const part = parts[depth] as string;
  return isDocument(value) && Object.hasOwn(value, part)
    ? resolvePath(value[part], parts, depth + 1)
    : undefined;
}

/** Throws InvalidPipelineOperator when an expression holds an operator that does not exist. */
export function checkExpression(expression: unknown): void {
  if (Array.isArray(expression)) expression.forEach(checkExpression);
  if (!isDocument(expression)) return;
  const keys = Object.keys(expression);
  if (keys[0]?.startsWith('$')) checkOperator(keys[0], keys);
  if (keys[0] !== '$literal') Object.values(expression).forEach(checkExpression);
}

function checkOperator(operator: string, keys: readonly string[]): void {
  if (keys.length > 1) {
    throw locationError(15983, `an expression must have exactly one field, found ${keys.join(', ')}`);
  }
  if (!isExpressionOperator(operator)) {
    throw commandError('InvalidPipelineOperator', `Unrecognized expression '${operator}'`);
  }
}

function evaluatePath(path: string, document: Doc, scope: ExpressionScope): unknown {
  if (!path.startsWith('$$')) return resolvePath(document, path.slice(1).split('.'));
  const [name = '', ...rest] = path.slice(2).split('.');
  return resolvePath(variable(name, document, scope), rest);
}

function variable(name: string, document: Doc, scope: ExpressionScope): unknown {
  if (name === 'ROOT' || name === 'CURRENT') return document;
  if (name === 'NOW') return scope.now;
  if (name === 'REMOVE') return REMOVED;
  if (name === 'KEEP' || name === 'PRUNE' || name === 'DESCEND') return `$$${name}`;
  if (Object.hasOwn(scope.variables, name)) return scope.variables[name];
  throw locationError(17276, `Use of undefined variable: ${name}`);
}

function evaluateFields(fields: Doc, document: Doc, scope: ExpressionScope): Doc {
  const result: Doc = {};
  for (const key of Object.keys(fields)) {
    const value = evaluate(fields[key], document, scope);
    if (value !== REMOVED) setField(result, key, value);
  }
  return result;
}

function evaluateOperator(expression: Doc, document: Doc, scope: ExpressionScope): unknown {
  try {
    const variables = { ...(toMingo(scope.variables) as Doc), NOW: scope.now };
    return evalExpr(toMingo(document), toMingo(expression), { ...MINGO_OPTIONS, variables });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw commandError('BadValue', `cannot evaluate an expression: ${(error as Error).message}`);
  }
}
