import type { BodyOf } from '@gleaner/client';
import type { Json } from '../answer/json.ts';
import { ToolError } from '../answer/render-answer.ts';
import { answers, OBJECT, PAGE_OPTIONS, PART, TEXT, type Tool, toPageOptions, UNTRUSTED } from './tool.ts';

/** `scrape`: one page, at once. */
export const SCRAPE: Tool = {
  name: 'scrape',
  title: 'Scrape a page',
  description:
    'Fetches a page or PDF: what selectors or formats name, else title, description, text and links. For "next", repeat with its path and from; charged again.',
  scope: 'scrape',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: {
    type: 'object',
    required: ['url'],
    properties: {
      url: TEXT,
      ...PAGE_OPTIONS,
      actions: {
        type: 'array',
        description:
          'Steps: {click:css}, {fill:css,value}, {press:key}, {waitFor:css}, {scroll:end}, {collect:css}, {repeat:[…],times}',
      },
      waitFor: { type: 'string', description: 'CSS, or ms' },
      overlays: { type: 'string', enum: ['hide', 'accept', 'reject'] },
      proxy: { type: 'string', description: 'Country code' },
      headers: OBJECT,
      capture: OBJECT,
      json: OBJECT,
      form: OBJECT,
      cookies: { type: 'array', description: '[{name,value}]' },
      locale: TEXT,
      snapshot: { type: 'boolean', description: 'Keep it' },
      download: { type: 'boolean', description: 'Keep the file' },
      timeout: { type: 'integer', description: 'ms' },
      maxAge: { type: 'integer', description: 'ms, of a kept page' },
      ...PART,
    },
  },
  output: answers({
    untrusted: UNTRUSTED,
    data: OBJECT,
    formats: OBJECT,
    warnings: { type: 'array' },
    metadata: OBJECT,
    snapshotId: TEXT,
    file: OBJECT,
  }),
  async call({ path, from, ...body }, { gleaner, signal }) {
    if (body.screenshot) {
      throw new ToolError('A screenshot does not fit into an answer.', 'Leave out screenshot.');
    }
    const { waitFor, ...others } = toPageOptions(body);
    const given = {
      ...others,
      // Some hosts turn numbers into text, so the schema has one type.
      ...(waitFor !== undefined && { waitFor: /^\d+$/.test(String(waitFor)) ? Number(waitFor) : waitFor }),
    } as unknown as BodyOf<'scrape'>;
    const result = await gleaner.call('scrape', { body: given }, { signal });
    const { data, formats, captured, warnings, metadata, snapshotId, file } = result;
    const { finalUrl, statusCode, credits, engine, verdict, cache } = metadata;
    return {
      isUntrusted: true,
      value: {
        ...(data !== undefined && { data: data as Json }),
        ...(formats !== undefined && { formats: formats as Json }),
        ...(captured !== undefined && { captured: captured as Json }),
        ...(warnings && { warnings }),
        metadata: {
          finalUrl,
          statusCode,
          credits,
          engine,
          ...(cache && { cache }),
          ...(verdict && verdict.page !== 'content' && { verdict }),
        },
        ...(snapshotId !== undefined && { snapshotId }),
        ...(file && { file }),
      },
    };
  },
};
