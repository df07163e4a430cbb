import type { BodyOf } from '@gleaner/client';
import type { Json } from '../answer/json.ts';
import {
  type Arguments,
  answers,
  LIST,
  OBJECT,
  PART,
  TEXT,
  type Tool,
  toPageOptions,
  UNTRUSTED,
} from './tool.ts';

/** `search`: results of search engines, with their pages if they are wanted. */
export const SEARCH: Tool = {
  name: 'search',
  title: 'Search the web',
  description: 'Finds pages by words; scrape reads them, over 10 by a job. "next" as in scrape.',
  scope: 'scrape',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['query'],
    properties: {
      query: TEXT,
      limit: { type: 'integer', maximum: 50 },
      time: { type: 'string', enum: ['day', 'week', 'month', 'year'] },
      lang: TEXT,
      site: { type: 'string', description: 'A host' },
      scrape: { type: 'object', description: 'Options: {"formats":["markdown"]}' },
      ...PART,
    },
  },
  output: answers({ untrusted: UNTRUSTED, results: LIST, job: OBJECT }),
  async call({ path, from, scrape, ...options }, { gleaner, signal }) {
    const body = {
      ...options,
      ...(scrape !== undefined && { scrape: toPageOptions(scrape as Arguments) }),
    } as unknown as BodyOf<'search'>;
    const { results, warnings, job } = await gleaner.search(body, { signal });
    const found = results.map(({ page, error, ...result }) => ({
      ...result,
      ...(page?.data !== undefined && { data: page.data }),
      ...(page?.formats !== undefined && { formats: page.formats }),
      ...(page?.warnings && { pageWarnings: page.warnings.map(({ message }) => message) }),
      ...(error && { error: { code: error.code, message: error.message } }),
    }));
    return {
      isUntrusted: true,
      value: {
        results: found as unknown as Json,
        ...(warnings.length > 0 && { warnings: warnings.map(({ message }) => message) }),
        ...(job && { job: { id: job.id, status: job.status } }),
      },
    };
  },
};
