import type { RecordChanges } from '@gleaner/client';
import type { Json } from '../answer/json.ts';
import { takeFitting } from './take-page.ts';
import { answers, COUNT, LIST, OBJECT, PART, TEXT, type Tool, UNTRUSTED } from './tool.ts';

const DEFAULT_LIMIT = 100;
const NOTHING: RecordChanges = { records: [], next: 0, hasMore: false };

/** `get_records`: the datasets, or the records of one that have changed after a revision. */
export const GET_RECORDS: Tool = {
  name: 'get_records',
  title: 'Read a dataset',
  description:
    'Without name: the tables that jobs keep with dataset. With name: its records, or changes after revision since. With "next", call again with its entries.',
  scope: 'jobs',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: TEXT,
      since: { type: 'integer', minimum: 0 },
      op: { type: 'string', enum: ['upsert', 'gone'] },
      limit: { type: 'integer', minimum: 1, maximum: 1000 },
      ...PART,
    },
  },
  output: answers({ untrusted: UNTRUSTED, datasets: LIST, dataset: OBJECT, records: LIST, since: COUNT }),
  async call({ name, since = 0, op, limit = DEFAULT_LIMIT }, { gleaner, signal }) {
    if (typeof name !== 'string') {
      const datasets = await gleaner.datasets.list({ signal });
      return { isUntrusted: false, value: { datasets: datasets as unknown as Json } };
    }
    const query = {
      limit: Number(limit),
      since: Number(since),
      ...(op !== undefined && { op: op as 'upsert' | 'gone' }),
    };
    const { value: page } = await gleaner.datasets.changes(name, query, { signal }).next();
    const { records, next, hasMore }: RecordChanges = page ?? NOTHING;
    const taken = takeFitting(records.map(({ url: _url, jobId: _jobId, ...record }) => record as Json));
    const last = records[taken.length - 1];
    const isCut = taken.length < records.length;
    const end = isCut && last ? last.revision : next;
    const at = { name, ...(op !== undefined && { op: String(op) }) };
    return {
      isUntrusted: true,
      value: { records: taken, since: end },
      at: { ...at, since: Number(since), limit: taken.length },
      more: isCut || hasMore ? { ...at, since: end } : undefined,
    };
  },
};
