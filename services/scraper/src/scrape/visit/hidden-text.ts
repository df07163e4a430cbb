import { formatNameOf, WORD_FORMAT_NAMES } from '@gleaner/contracts';
import { findHiddenText } from '../../browser/tab/hidden-text.ts';
import type { Reading } from './visit-page.ts';

/** Returns true if words of the page are to be read, now or by a request that reuses it. */
export function readsWords({ request: { formats = [], maxAge = 0 } }: Reading): boolean {
  if (maxAge > 0) return true;
  return formats.some((format) => WORD_FORMAT_NAMES.includes(formatNameOf(format)));
}

/** Has the browser say what it does not show. */
export async function findHidden({ tab, parts }: Reading): Promise<void> {
  parts.hiddenMark = await findHiddenText(tab);
}
