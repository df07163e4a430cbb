import type { CallOptions, Listing } from '@gleaner/client';
import { type Json, stringify } from '../answer/json.ts';
import type { Answer } from '../answer/render-answer.ts';
import { MAX_CHARACTERS } from '../answer/render-answer.ts';
import type { Schema } from './tool.ts';

/** Arguments of everything that is read page by page. */
export const PAGE: Readonly<Record<string, Schema>> = {
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  offset: { type: 'integer', minimum: 0 },
};

const DEFAULT_LIMIT = 20;
/** Leaves room for what stands beside the entries. */
export const BUDGET = MAX_CHARACTERS - 2000;

/** Returns the entries that fit into an answer. The first one is taken however long it is, and cut later. */
export function takeFitting(entries: readonly Json[], budget = BUDGET): readonly Json[] {
  let left = budget;
  const end = entries.findIndex((entry, index) => {
    left -= stringify(entry).length + 1;
    return left < 0 && index > 0;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** Reads one page of a list and answers with the entries that fit. */
export async function answerList<Query extends object>(
  name: string,
  list: (query: Query & { limit: number; offset: number }, options: CallOptions) => Listing<object>,
  query: Query,
  args: Readonly<Record<string, unknown>>,
  { at = {}, signal }: { readonly at?: Readonly<Record<string, Json>>; readonly signal: AbortSignal },
): Promise<Answer> {
  const [limit, offset] = [Number(args.limit ?? DEFAULT_LIMIT), Number(args.offset ?? 0)];
  const { items, pagination } = await list({ ...query, limit, offset }, { signal }).page();
  const taken = takeFitting(items as unknown as Json[]);
  const hasMore = taken.length < items.length || pagination.hasMore;
  return {
    isUntrusted: quotesPages(taken),
    value: { [name]: taken, total: pagination.total },
    at: { ...at, offset, limit },
    more: hasMore ? { ...at, offset: offset + taken.length } : undefined,
  };
}

/** Returns true for jobs and schedules with warnings or errors, as they quote URLs chosen by pages. */
export function quotesPages(value: Json): boolean {
  return /"(?:warnings|error)":/.test(stringify(value));
}
