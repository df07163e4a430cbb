import { compile, JSONPathError, jsonpath } from 'json-p3';

/** A compiled path, in the classes of the library. RFC 9535 §2. */
export interface JsonPath {
  readonly text: string;
  readonly segments: readonly jsonpath.JSONPathSegment[];
}

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
    const { segments } = compile(text);
    const name = functionIn(segments);
    if (name === undefined) return { text, segments };
    return `The JSON path calls the function ${name}(): functions are not supported in filters.`;
  } catch (error) {
    if (error instanceof JSONPathError) return explain(text, error);
    throw error;
  }
}

/** Returns the name of the first function that a filter calls. */
function functionIn(segments: JsonPath['segments']): string | undefined {
  for (const selector of segments.flatMap(({ selectors }) => selectors)) {
    const isFilter = selector instanceof jsonpath.selectors.FilterSelector;
    const name = isFilter ? functionOf(selector.expression) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function functionOf(expression: jsonpath.expressions.FilterExpression): string | undefined {
  const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
    jsonpath.expressions;
  if (expression instanceof FunctionExtension) return expression.name;
  if (expression instanceof LogicalExpression) return functionOf(expression.expression);
  if (expression instanceof PrefixExpression) return functionOf(expression.right);
  if (expression instanceof InfixExpression)
    return functionOf(expression.left) ?? functionOf(expression.right);
  return expression instanceof FilterQuery ? functionIn(expression.path.segments) : undefined;
}

/** Returns the sentence for a path that the library rejects. Its messages end in an excerpt and a position. */
function explain(text: string, error: JSONPathError): string {
  const [reason] = error.message.split(" ('");
  const at = error.token.index;
  const place = at < text.length ? `character ${at + 1}` : 'its end';
  const hint = text.startsWith('$') ? '' : ` ${HINT}`;
  return `The JSON path is invalid at ${place}: ${reason}.${hint}`;
}
