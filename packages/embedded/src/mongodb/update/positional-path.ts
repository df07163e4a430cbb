import type { Doc } from '../bson/bson-types.ts';
import { commandError } from '../errors/command-error.ts';
import { MISSING } from '../paths/match-path.ts';
import { valueAt } from '../paths/update-path.ts';

/** Resolves the positional parts of a path. */
export interface PositionalContext {
  /** The element by which the query matched the array at a path, for `$`. */
  readonly positionOf: (arrayPath: string) => number | undefined;
  /** The filters of `arrayFilters` by identifier, for `$[identifier]`. */
  readonly arrayFilters: ReadonlyMap<string, (element: unknown) => boolean>;
}

/** The concrete paths that a path with `$`, `$[]` and `$[identifier]` stands for in a document. */
export function concretePaths(
  document: Doc,
  parts: readonly string[],
  context: PositionalContext,
): string[][] {
  const at = parts.findIndex((part) => part.startsWith('$'));
  if (at === -1) return [[...parts]];
  const head = parts.slice(0, at);
  const positions = positionsAt(document, head, parts[at] as string, parts, context);
  return positions.flatMap((position) =>
    concretePaths(document, [...head, String(position), ...parts.slice(at + 1)], context),
  );
}

/** The identifier of `$[identifier]`; undefined for other parts. */
export function identifierOf(part: string): string | undefined {
  return /^\$\[(.+)\]$/.exec(part)?.[1];
}

function positionsAt(
  document: Doc,
  head: readonly string[],
  part: string,
  parts: readonly string[],
  { positionOf, arrayFilters }: PositionalContext,
): number[] {
  if (part === '$') {
    const position = positionOf(head.join('.'));
    if (position === undefined) {
      throw commandError('BadValue', 'The positional operator did not find the match needed from the query.');
    }
    return [position];
  }
  const array = valueAt(document, head);
  if (array === MISSING) {
    throw commandError(
      'BadValue',
      `The path '${head.join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!Array.isArray(array)) {
    throw commandError(
      'BadValue',
      `Cannot apply array updates to non-array element ${head.join('.')} of '${parts.join('.')}'`,
    );
  }
  const identifier = identifierOf(part);
  const filter = identifier === undefined ? () => true : arrayFilters.get(identifier);
  return array.flatMap((element, i) => (filter?.(element) === true ? [i] : []));
}
