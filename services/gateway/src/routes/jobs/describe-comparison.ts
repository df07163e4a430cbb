import type { Change, ChangeCounts } from '@gleaner/contracts';
import type { Comparison } from '@gleaner/storage';

const NOTHING: Comparison = {
  since: '',
  added: 0,
  removed: 0,
  changed: 0,
  stored: 0,
  omitted: 0,
  keysJson: '{}',
};

/** Describes what a run was compared with, as the API shows it. */
export function describeComparison(comparison: Comparison | undefined) {
  const { added, removed, changed, omitted, notCompared = 0, keysJson } = comparison ?? NOTHING;
  const counts: ChangeCounts = { added, removed, changed };
  const matchedBy = JSON.parse(keysJson) as Record<string, string>;
  return { comparedWith: comparison?.since ?? null, matchedBy, counts, omitted, notCompared };
}

/** Reads changes as they are stored. */
export function parseChanges(texts: readonly string[]): Change[] {
  return texts.map((text) => JSON.parse(text) as Change);
}
