import { digest } from './digest.ts';

/** Result of one selector on one document: the number of elements, and a digest of their order, text and markup. */
export type Answer = string;

/** Answers by document and by selector, small enough to commit. */
export interface AnswerSheet {
  readonly browser: string;
  /** For each document, a digest of its source and one of all its answers. */
  readonly documents: Readonly<Record<string, string>>;
  /** For each selector, the number of matches on all documents, and a digest of its answers. */
  readonly selectors: Readonly<Record<string, string>>;
}

/** Answer for a selector that is rejected. The value is part of the recorded digests. */
export const REJECTED: Answer = 'refused';

/** Answer for every selector on XML that is not well-formed. The value is part of the recorded digests. */
export const NOT_WELL_FORMED: Answer = 'faulty';

/** Creates an answer from a digest of each match and one of the first match's HTML. */
export function toAnswer(matches: readonly string[], firstHtml: string): Answer {
  return `${matches.length} ${digest([...matches, firstHtml])}`;
}

/** Summarizes a table of answers with a row for each document and a column for each selector. */
export function toSheet(
  browser: string,
  documents: readonly { readonly name: string; readonly html: string }[],
  selectors: readonly string[],
  answers: readonly (readonly Answer[])[],
): AnswerSheet {
  const rows = documents.map(({ name, html }, row) => [
    name,
    `${digest([html])} ${digest(answers[row] ?? [])}`,
  ]);
  const columns = selectors.map((selector, column) => {
    const cells = answers.map((row) => row[column] ?? '');
    const matches = cells.reduce((sum, cell) => sum + (Number.parseInt(cell, 10) || 0), 0);
    return [selector, `${matches} ${digest(cells)}`];
  });
  return { browser, documents: Object.fromEntries(rows), selectors: Object.fromEntries(columns) };
}
