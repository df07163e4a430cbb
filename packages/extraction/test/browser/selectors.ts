import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LISTS = JSON.parse(readFileSync(join(import.meta.dirname, 'selectors.json'), 'utf8')) as {
  /** What people write for pages like those of the corpus. */
  readonly common: readonly string[];
  /** What only the standard foresees; a good third of it is refused. */
  readonly edge: readonly string[];
};

/** Every selector that is compared with the browser. */
export const SELECTORS: readonly string[] = [...LISTS.common, ...LISTS.edge];
