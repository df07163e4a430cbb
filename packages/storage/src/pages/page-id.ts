/** Digits of an index up to 99,999. */
const MIN_DIGITS = 5;
const FIRST_LETTER = 'a'.charCodeAt(0);

/**
 * Returns the id of a page, unique per job and index and sorted by index. It is also the operation id in the ledger.
 * Indexes take five digits; longer ones follow a letter for their length, which sorts after every digit: `99999`,
 * `a100000`, `b1000000`. No id is the beginning of another one.
 */
export function pageIdOf(jobId: string, index: number): string {
  const digits = String(index).padStart(MIN_DIGITS, '0');
  const surplus = digits.length - MIN_DIGITS;
  const letter = surplus > 0 ? String.fromCharCode(FIRST_LETTER + surplus - 1) : '';
  return `${jobId}:${letter}${digits}`;
}

/** Returns the id of a crawl file (a robots.txt or sitemap); crawl files sort after all other pages. */
export function crawlFileIdOf(jobId: string, key: string): string {
  return `${jobId}:~${key}`;
}

/** Returns the index of a page within its job. */
export function pageIndexOf(pageId: string): number {
  return Number(pageId.slice(pageId.lastIndexOf(':') + 1).replace(/^[a-z]/, ''));
}

/** Returns the bounds of the ids of all pages of a job. */
export function pageIdBounds(jobId: string): { readonly $gte: string; readonly $lt: string } {
  return { $gte: `${jobId}:`, $lt: `${jobId};` };
}
