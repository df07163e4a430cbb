import { type Doc, isDocument } from '../bson/bson-types.ts';
import { isTrue } from '../bson/is-true.ts';
import { commandError } from '../errors/command-error.ts';
import { checkExpression, type ExpressionScope, evaluate } from '../expressions/evaluate-expression.ts';
import { someAtPath } from '../paths/match-path.ts';
import { type FilterNode, isConditions, parseConditions, parseFilter } from './parse-filter.ts';
import { PREDICATES, type ValueTest } from './predicates.ts';

/** Returns whether a document matches. */
export type Matcher = (document: Doc) => boolean;

/** Compiles a filter document into a function. Throws BadValue for a filter that MongoDB's parser rejects. */
export function compileFilter(filter: Doc, scope: ExpressionScope): Matcher {
  return compileNode(parseFilter(filter), scope);
}

/** Compiles a parsed filter into a function. */
export function compileNode(node: FilterNode, scope: ExpressionScope): Matcher {
  switch (node.kind) {
    case 'field':
      return compileField(node.path, node.operator, node.operand, scope);
    case 'not': {
      const matches = compileNode(node.node, scope);
      return (document) => !matches(document);
    }
    case 'expr':
      checkExpression(node.expression);
      return (document) => isTrue(evaluate(node.expression, document, scope));
    default:
      return compileBranches(node.kind, node.nodes, scope);
  }
}

/** Compiles the operand of `$elemMatch` or `$pull` (conditions, or a filter for documents) into a test of one value. */
export function compileElementFilter(criteria: Doc, scope: ExpressionScope): ValueTest {
  if (isConditions(criteria) && !/^\$(and|or|nor|expr|where)$/.test(Object.keys(criteria)[0] as string)) {
    const nodes = parseConditions('value', criteria);
    const matches = compileNode({ kind: 'and', nodes }, scope);
    return (value) => matches({ value });
  }
  const matches = compileFilter(criteria, scope);
  return (value) => (isDocument(value) || Array.isArray(value)) && matches(value as Doc);
}

function compileBranches(
  kind: 'and' | 'or' | 'nor',
  nodes: readonly FilterNode[],
  scope: ExpressionScope,
): Matcher {
  const matchers = nodes.map((node) => compileNode(node, scope));
  if (kind === 'and') return (document) => matchers.every((matches) => matches(document));
  if (kind === 'or') return (document) => matchers.some((matches) => matches(document));
  return (document) => !matchers.some((matches) => matches(document));
}

function compileField(path: string, operator: string, operand: unknown, scope: ExpressionScope): Matcher {
  const parts = path.split('.');
  const predicate = PREDICATES[operator];
  if (predicate === undefined) throw commandError('BadValue', `unknown operator: ${operator}`);
  const test = predicate(operand, (criteria) => compileElementFilter(criteria, scope));
  return (document) => someAtPath(document, parts, test);
}
