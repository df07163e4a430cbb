import type { FieldChange } from './diff-data.ts';

/** The changes that a webhook carries, and the fields whose values it has no room for. */
export interface FittingChanges {
  readonly changes: Readonly<Record<string, FieldChange>>;
  readonly omittedFields: readonly string[];
}

/** How many bytes of changes a webhook carries. */
const MAX_CHANGES_BYTES = 1024 * 1024;

/** As many of the changes as fit into 1 MiB, in their order; of the others the names. */
export function fitChanges(
  changes: Readonly<Record<string, FieldChange>>,
  maxBytes = MAX_CHANGES_BYTES,
): FittingChanges {
  let bytes = 0;
  const sized = Object.entries(changes).map(([name, change]) => {
    const size = Buffer.byteLength(JSON.stringify({ [name]: change }));
    const fits = bytes + size <= maxBytes;
    if (fits) bytes += size;
    return { name, change, fits };
  });
  return {
    changes: Object.fromEntries(sized.filter(({ fits }) => fits).map(({ name, change }) => [name, change])),
    omittedFields: sized.filter(({ fits }) => !fits).map(({ name }) => name),
  };
}
