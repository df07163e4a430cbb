import type { CallOptions, Gleaner, JobResult, QueryOf } from '@gleaner/client';
import { type Json, stringify } from '../answer/json.ts';
import { MAX_CHARACTERS, ToolError } from '../answer/render-answer.ts';
import { answerList, PAGE, takeFitting } from './take-page.ts';
import type { Schema, Tool } from './tool.ts';
import { answers, COUNT, LIST, PART, TEXT, UNTRUSTED } from './tool.ts';

const DEFAULT_LIMIT = 50;
/** Results that are read at once: one may have megabytes. */
const BATCH = 10;

/** Differences of a crawl from an earlier one. */
const CHANGE: Schema = {
  type: 'string',
  enum: ['new', 'changed', 'unchanged', 'gone', 'unlinked', 'values'],
  description: 'Of a crawl with since. values: each change, before and after',
};

/** `get_results`: as many results of a job as fit, from an offset on. */
export const GET_RESULTS: Tool = {
  name: 'get_results',
  title: 'Read results',
  description: 'Results of a job so far. With "next", call again with its entries.',
  scope: 'jobs',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: TEXT, change: CHANGE, verdict: TEXT, ...PAGE, ...PART },
  },
  output: answers({
    untrusted: UNTRUSTED,
    status: TEXT,
    total: COUNT,
    results: LIST,
    changes: LIST,
  }),
  async call({ id, change, verdict, limit = DEFAULT_LIMIT, offset = 0 }, { gleaner, signal }) {
    if (change === 'values') {
      if (verdict !== undefined)
        throw new ToolError('Changed values have no verdict.', 'Leave out verdict, or change.');
      const at = { id: String(id), change };
      const read = (query: QueryOf<'getJobChanges'>, call: CallOptions) =>
        gleaner.jobs.changes(String(id), query, call);
      const answer = await answerList('changes', read, {}, { limit, offset }, { at, signal });
      return { ...answer, isUntrusted: true };
    }
    const [first, most] = [Number(offset), Number(limit)];
    const at = {
      id: String(id),
      ...(change !== undefined && { change: String(change) }),
      ...(verdict !== undefined && { verdict: String(verdict) }),
    };
    const choice = {
      change: change as Range['change'],
      verdict: at.verdict?.split(',') as Range['verdict'],
    };
    const { status, total, results } = await readResults(gleaner, at.id, { first, most, signal, ...choice });
    const taken = takeFitting(results);
    const end = first + taken.length;
    return {
      isUntrusted: true,
      value: { status, total, results: taken },
      at: { ...at, offset: first, limit: taken.length },
      more: end < total ? { ...at, offset: end } : undefined,
    };
  },
};

interface Range {
  readonly first: number;
  readonly most: number;
  readonly change: QueryOf<'getJob'>['change'];
  readonly verdict: QueryOf<'getJob'>['verdict'];
  readonly signal: AbortSignal;
}

/** Reads results until there are enough for one answer. */
async function readResults(gleaner: Gleaner, id: string, { first, most, signal, ...choice }: Range) {
  const results: Json[] = [];
  let characters = 0;
  for (;;) {
    const resultsLimit = Math.min(BATCH, most - results.length);
    const query = { resultsLimit, resultsOffset: first + results.length, ...choice };
    const { status, results: batch, resultsPagination } = await gleaner.jobs.get(id, query, { signal });
    const shown = (batch as JobResult[]).map(show);
    results.push(...shown);
    characters += stringify(shown).length;
    const isEnough = characters > MAX_CHARACTERS || results.length >= most;
    if (isEnough || batch.length === 0 || !resultsPagination.hasMore) {
      return { status, total: resultsPagination.total, results };
    }
  }
}

/** Returns what an agent needs of a result: its metadata are left out but for the address after redirects. */
function show(result: JobResult): { readonly [name: string]: Json } {
  const { url } = result;
  const depth = 'depth' in result ? result.depth : undefined;
  if (result.error) {
    const { code, message, targetStatusCode } = result.error;
    return { url, ...(depth !== undefined && { depth }), error: { code, message, targetStatusCode } };
  }
  const { data, formats, file, metadata, warnings } = result;
  const { verdict } = metadata;
  return {
    url,
    ...(depth !== undefined && { depth }),
    ...(metadata.finalUrl !== url && { finalUrl: metadata.finalUrl }),
    ...(data !== undefined && { data: data as Json }),
    ...(formats !== undefined && { formats: formats as Json }),
    ...(file && { file }),
    ...(verdict && verdict.page !== 'content' && { verdict }),
    ...(warnings && { warnings: warnings.map(({ field, code }) => ({ field, code })) }),
  };
}
