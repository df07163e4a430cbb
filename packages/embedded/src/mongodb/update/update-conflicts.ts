import { commandError } from '../errors/command-error.ts';

/** Throws ConflictingUpdateOperators when two paths of one update are the same or one lies inside the other. */
export function refuseConflicts(paths: readonly string[]): void {
  const sorted = [...paths].sort();
  const seen = new Set<string>();
  for (const path of sorted) {
    const ancestors = path.split('.').map((_, i, parts) => parts.slice(0, i + 1).join('.'));
    const conflict = ancestors.find((ancestor) => seen.has(ancestor));
    if (conflict !== undefined) {
      throw commandError(
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${conflict}'`,
      );
    }
    seen.add(path);
  }
}
