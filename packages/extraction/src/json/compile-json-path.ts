import { compile, JSONPathError, jsonpath, TokenKind } from 'json-p3';
import {
  COMPARE_OPERATORS,
  type FilterQuery,
  type FilterTest,
  type JsonPath,
  type Operand,
  type PathSegment,
  type PathSelector,
} from './json-path.ts';

/** Limit on the length of a path, and so on the nesting of its filters. */
const MAX_PATH_CHARS = 1024;

const HINT = 'A path starts with "$", as in $.offers[0].price.';

/**
 * Compiles a JSON path (RFC 9535, without function extensions), or returns a sentence that explains why it is invalid.
 * The library parses the path and checks its types; `findJson` evaluates it within a budget.
 */
export function compileJsonPath(text: string): JsonPath | string {
  if (text === '') return `The JSON path is empty. ${HINT}`;
  if (text.length > MAX_PATH_CHARS) return `The JSON path is longer than ${MAX_PATH_CHARS} characters.`;
  try {
    return { text, segments: toSegments(compile(text).segments) };
  } catch (error) {
    if (error instanceof FunctionUsed) return error.message;
    if (error instanceof JSONPathError) return explain(text, error);
    throw error;
  }
}

type LibrarySegment = jsonpath.JSONPathSegment;
type LibrarySelector = jsonpath.JSONPathSelector;
type LibraryExpression = jsonpath.expressions.FilterExpression;

/** Thrown for a path that calls a function. */
class FunctionUsed extends Error {
  constructor(name: string) {
    super(`The JSON path calls the function ${name}(): functions are not supported in filters.`);
  }
}

function toSegments(segments: readonly LibrarySegment[]): PathSegment[] {
  return segments.map(({ token, selectors }) => ({
    descends: token.kind === TokenKind.DDOT,
    selectors: selectors.map(toSelector),
  }));
}

function toSelector(selector: LibrarySelector): PathSelector {
  const { NameSelector, IndexSelector, SliceSelector, WildcardSelector, FilterSelector } = jsonpath.selectors;
  if (selector instanceof NameSelector) return { kind: 'name', name: selector.name };
  if (selector instanceof IndexSelector) return { kind: 'index', index: selector.index };
  if (selector instanceof WildcardSelector) return { kind: 'wildcard' };
  if (selector instanceof FilterSelector) return { kind: 'filter', test: toTest(selector.expression) };
  if (selector instanceof SliceSelector) {
    return { kind: 'slice', start: selector.start, end: selector.stop, step: selector.step ?? 1 };
  }
  throw unknownPart(selector);
}

function toTest(expression: LibraryExpression): FilterTest {
  const { LogicalExpression, PrefixExpression, InfixExpression, FilterQuery, FunctionExtension } =
    jsonpath.expressions;
  if (expression instanceof LogicalExpression) return toTest(expression.expression);
  if (expression instanceof PrefixExpression) return { kind: 'not', test: toTest(expression.right) };
  if (expression instanceof FilterQuery) return { kind: 'exists', query: toQuery(expression) };
  if (expression instanceof FunctionExtension) throw new FunctionUsed(expression.name);
  if (!(expression instanceof InfixExpression)) throw unknownPart(expression);
  const { operator, left, right } = expression;
  if (operator === '&&') return { kind: 'and', left: toTest(left), right: toTest(right) };
  if (operator === '||') return { kind: 'or', left: toTest(left), right: toTest(right) };
  const comparison = COMPARE_OPERATORS.find((known) => known === operator);
  if (!comparison) throw unknownPart(expression);
  return { kind: 'compare', operator: comparison, left: toOperand(left), right: toOperand(right) };
}

function toQuery(query: jsonpath.expressions.FilterQuery): FilterQuery {
  return {
    startsAtRoot: query instanceof jsonpath.expressions.RootQuery,
    segments: toSegments(query.path.segments),
  };
}

function toOperand(expression: LibraryExpression): Operand {
  const { FilterQuery, FunctionExtension, NullLiteral, BooleanLiteral, NumberLiteral, StringLiteral } =
    jsonpath.expressions;
  if (expression instanceof FilterQuery) return { kind: 'query', query: toQuery(expression) };
  if (expression instanceof FunctionExtension) throw new FunctionUsed(expression.name);
  if (expression instanceof NullLiteral) return { kind: 'literal', value: null };
  if (
    expression instanceof BooleanLiteral ||
    expression instanceof NumberLiteral ||
    expression instanceof StringLiteral
  ) {
    return { kind: 'literal', value: expression.value };
  }
  throw unknownPart(expression);
}

function unknownPart(part: object): TypeError {
  return new TypeError(`Unknown part of a JSON path: ${part.constructor.name}`);
}

/** Returns the sentence for a path that the library rejects. Its messages end in an excerpt and a position. */
function explain(text: string, error: JSONPathError): string {
  const [reason] = error.message.split(" ('");
  const at = error.token.index;
  const place = at < text.length ? `character ${at + 1}` : 'its end';
  const hint = text.startsWith('$') ? '' : ` ${HINT}`;
  return `The JSON path is invalid at ${place}: ${reason}.${hint}`;
}
