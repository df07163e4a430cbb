import { type Doc, isDocument } from '../bson/bson-types.ts';
import { commandError } from '../errors/command-error.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import { compileFilter } from '../filter/compile-filter.ts';
import { identifierOf } from './positional-path.ts';

/** The filters by identifier. Throws where one is missing, doubled, unused or names several identifiers. */
export function compileArrayFilters(
  filters: readonly unknown[],
  paths: readonly (readonly string[])[],
  scope: ExpressionScope,
): Map<string, (element: unknown) => boolean> {
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
    const matches = compileFilter(filter, scope);
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

function identifierOfFilter(filter: Doc): string {
  const names = new Set(namesIn(filter));
  const [name] = names;
  if (name === undefined)
    throw commandError(
      'FailedToParse',
      'Cannot use an expression without a top-level field name in arrayFilters',
    );
  if (names.size > 1) {
    throw commandError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found ${[...names].map((n) => `'${n}'`).join(' and ')}`,
    );
  }
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) {
    throw commandError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
    );
  }
  return name;
}

function namesIn(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0] as string];
    return Array.isArray(value) ? value.filter(isDocument).flatMap(namesIn) : [];
  });
}
