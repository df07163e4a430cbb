import type { Draft } from './draft.ts';

/** Returns what there is so far, or what to do next. */
export function describeDraft(
  { list, values }: Draft,
  { records, picks }: { readonly records: number; readonly picks: number },
): string {
  const singles = values.length > 0 ? [count(values.length, 'single value')] : [];
  if (list)
    return [`${count(records, 'record')} with ${count(list.columns.length, 'column')}`, ...singles].join(
      ', ',
    );
  if (singles[0] !== undefined) return singles[0];
  if (picks > 0) return 'Click a similar item to make a list, or choose below.';
  return 'Click an item in the page; two similar items make a list.';
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}
