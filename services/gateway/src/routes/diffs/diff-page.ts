import type { PageDiff } from '@gleaner/contracts';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

/** The results of a page in two runs as JSON, with the names of the runs. */
export interface PageToDiff {
  readonly url: string;
  readonly from: string;
  readonly to: string;
  readonly fromRun: string;
  readonly toRun: string;
}

/** Outcome of a page: its difference, if any, or the results without Markdown. */
export type DiffOutcome =
  | { readonly kind: 'differs'; readonly diff: PageDiff }
  | { readonly kind: 'equal' }
  | { readonly kind: 'lacks'; readonly from: boolean; readonly to: boolean };

/** Changed lines up to which a difference is looked for: the work and the memory grow with their square. */
const MAX_EDITS = 2000;
/** Time for that. */
const MAX_MS = 2000;
/** Characters of a line, and of the text of a page. */
const MAX_LINE = 2000;
const MAX_TEXT = 128 * 1024;

/** Compares the Markdown of a page in two runs; what takes longer than `maxMs` has a difference without a text. */
export function diffPage({ url, from, to, fromRun, toRun }: PageToDiff, maxMs = MAX_MS): DiffOutcome {
  const [before, after] = [markdownOf(from), markdownOf(to)];
  if (before === undefined || after === undefined) {
    return { kind: 'lacks', from: before === undefined, to: after === undefined };
  }
  if (before === after) return { kind: 'equal' };
  const bounds = { maxEditLength: MAX_EDITS, timeout: maxMs, context: 3 };
  const patch = structuredPatch(url, url, before, after, fromRun, toRun, bounds);
  if (!patch) return { kind: 'differs', diff: { url, ...countsOf([]), text: null } };
  const counts = countsOf(patch.hunks);
  const hunks = patch.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(cutLine) }));
  const fitting = takeFitting(hunks);
  const isCut = fitting.length < hunks.length || patch.hunks.some(({ lines }) => lines.some(isLong));
  const text = formatPatch({ ...patch, hunks: fitting }, FILE_HEADERS_ONLY);
  return { kind: 'differs', diff: { url, ...counts, text, ...(isCut && { isCut }) } };
}

type Hunk = ReturnType<typeof structuredPatch>['hunks'][number];

/** Returns the Markdown of a result, with the end of its last line; undefined if it has none. */
function markdownOf(json: string): string | undefined {
  const { formats }: { formats?: { markdown?: unknown } } = JSON.parse(json);
  if (typeof formats?.markdown !== 'string') return undefined;
  const { markdown } = formats;
  return markdown === '' || markdown.endsWith('\n') ? markdown : `${markdown}\n`;
}

function countsOf(hunks: readonly Hunk[]): Pick<PageDiff, 'added' | 'removed'> {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

function isLong(line: string): boolean {
  return line.length > MAX_LINE;
}

function cutLine(line: string): string {
  return isLong(line) ? `${line.slice(0, MAX_LINE - 1).toWellFormed()}…` : line;
}

/** Returns the hunks up to the largest size of a text. */
function takeFitting(hunks: readonly Hunk[]): Hunk[] {
  let characters = 0;
  const end = hunks.findIndex(({ lines }) => {
    characters += lines.reduce((sum, line) => sum + line.length + 1, 0);
    return characters > MAX_TEXT;
  });
  return end < 0 ? [...hunks] : hunks.slice(0, end);
}
