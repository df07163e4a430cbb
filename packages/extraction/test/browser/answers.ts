import { digest } from './digest.ts';

/** What one selector gives on one document, as one string: how many elements, and a digest of which and what. */
export type Answer = string;

/** Answers by document and by selector, small enough to be committed. */
export interface AnswerSheet {
  readonly browser: string;
  /** For each document a digest of its source and one of all its answers. */
  readonly documents: Readonly<Record<string, string>>;
  /** For each selector how many elements it matches on all documents, and a digest of its answers. */
  readonly selectors: Readonly<Record<string, string>>;
}

/** The answer that says that the selector is refused. */
export const REFUSED: Answer = 'refused';

/** The answer, whatever the selector, on a document that is no XML although it should be. */
export const FAULTY: Answer = 'faulty';

/** Makes the answer out of a digest of each match and one of the first match's HTML. */
export function toAnswer(matches: readonly string[], firstHtml: string): Answer {
  return `${matches.length} ${digest([...matches, firstHtml])}`;
}

/** Sums a table of answers up, a row for each document and a column for each selector. */
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
