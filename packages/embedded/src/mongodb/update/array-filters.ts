import { type Doc, isDocument } from '../bson/bson-types.ts';
import { MISSING, valueAt } from '../bson/paths.ts';
import { commandError } from '../command-error.ts';
import { compileFilter } from '../filter/compile-filter.ts';

/** The filters of `arrayFilters` by identifier, for `$[identifier]`. */
export type ArrayFilters = ReadonlyMap<string, (element: unknown) => boolean>;

/** The filters by identifier. Throws where one is missing, doubled, unused or names several identifiers. */
export function compileArrayFilters(
  filters: readonly unknown[],
  paths: readonly (readonly string[])[],
): ArrayFilters {
  const compiled = new Map<string, (element: unknown) => boolean>();
  for (const filter of filters) {
    if (!isDocument(filter))
      throw commandError('TypeMismatch', "Each element of 'arrayFilters' must be an object");
    const identifier = identifierOfFilter(filter);
    if (compiled.has(identifier)) {
      throw commandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
    }
    const matches = compileFilter(filter);
    compiled.set(identifier, (element) => matches({ [identifier]: element }));
  }
  const used = new Set(
    paths.flatMap((parts) => parts.map(identifierOf)).filter((name) => name !== undefined),
  );
  for (const identifier of used) {
    if (compiled.has(identifier)) continue;
    throw commandError(
      'BadValue',
      `No array filter found for identifier '${identifier}' in path '${paths.find((parts) => parts.includes(`$[${identifier}]`))?.join('.')}'`,
    );
  }
  for (const identifier of compiled.keys()) {
    if (used.has(identifier)) continue;
    throw commandError(
      'FailedToParse',
      `The array filter for identifier '${identifier}' was not used in the update`,
    );
  }
  return compiled;
}

/** The concrete paths that a path with `$[identifier]` stands for in a document. */
export function concretePaths(document: Doc, parts: readonly string[], filters: ArrayFilters): string[][] {
  const at = parts.findIndex((part) => part.startsWith('$'));
  if (at === -1) return [[...parts]];
  const head = parts.slice(0, at);
  const filter = filters.get(identifierOf(parts[at] as string) ?? '');
  return arrayAt(document, head, parts).flatMap((element, i) =>
    filter?.(element) === true
      ? concretePaths(document, [...head, String(i), ...parts.slice(at + 1)], filters)
      : [],
  );
}

function arrayAt(document: Doc, head: readonly string[], parts: readonly string[]): readonly unknown[] {
  const array = valueAt(document, head);
  if (Array.isArray(array)) return array;
  throw commandError(
    'BadValue',
    array === MISSING
      ? `The path '${head.join('.')}' must exist in the document in order to apply array updates.`
      : `Cannot apply array updates to non-array element ${head.join('.')} of '${parts.join('.')}'`,
  );
}

/** The identifier of `$[identifier]`; undefined for other parts. */
export function identifierOf(part: string): string | undefined {
  return /^\$\[([a-z][A-Za-z0-9]*)\]$/.exec(part)?.[1];
}

function identifierOfFilter(filter: Doc): string {
  const [name = '', ...others] = new Set(Object.keys(filter).map((key) => key.split('.')[0] as string));
  if (others.length === 0 && IDENTIFIER.test(name)) return name;
  throw commandError(
    'FailedToParse',
    `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[name, ...others].join("', '")}'`,
  );
}

const IDENTIFIER = /^[a-z][A-Za-z0-9]*$/;
