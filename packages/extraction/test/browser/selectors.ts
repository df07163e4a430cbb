import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LISTS = JSON.parse(readFileSync(join(import.meta.dirname, 'selectors.json'), 'utf8')) as {
  /** Typical selectors for pages such as those of the corpus. */
  readonly common: readonly string[];
  /** Edge cases of the standard, many of which are rejected. */
  readonly edge: readonly string[];
};

/** All selectors that are compared with the browser. */
export const SELECTORS: readonly string[] = [...LISTS.common, ...LISTS.edge];
