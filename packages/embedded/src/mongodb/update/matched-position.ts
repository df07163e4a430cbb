import type { Doc } from '../bson/bson-types.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import { compileNode } from '../filter/compile-filter.ts';
import type { FilterNode } from '../filter/parse-filter.ts';
import { MISSING } from '../paths/match-path.ts';
import { valueAt } from '../paths/update-path.ts';

/**
 * Returns the element that `$` stands for: the first that meets all conditions which the filter has on the array or below
 * it; failing that, the first that meets one of them.
 */
export function matchedPosition(
  filter: FilterNode,
  document: Doc,
  arrayPath: string,
  scope: ExpressionScope,
): number | undefined {
  const array = valueAt(document, arrayPath.split('.'));
  if (array === MISSING || !Array.isArray(array)) return undefined;
  const tests = fieldNodes(filter)
    .filter(({ path }) => path === arrayPath || path.startsWith(`${arrayPath}.`))
    .map((node) => {
      const matches = compileNode({ ...node, path: `array${node.path.slice(arrayPath.length)}` }, scope);
      return (element: unknown) => matches({ array: [element] });
    });
  if (tests.length === 0) return undefined;
  const all = array.findIndex((element) => tests.every((test) => test(element)));
  const position = all >= 0 ? all : array.findIndex((element) => tests.some((test) => test(element)));
  return position >= 0 ? position : undefined;
}

type FieldNode = Extract<FilterNode, { kind: 'field' }>;

function fieldNodes(node: FilterNode): FieldNode[] {
  if (node.kind === 'field') return [node];
  return node.kind === 'and' || node.kind === 'or' ? node.nodes.flatMap(fieldNodes) : [];
}
