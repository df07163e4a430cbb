import type { BodyOf } from '@gleaner/client';
import { BUDGET } from './take-page.ts';
import { answers, LIST, TEXT, type Tool, UNTRUSTED } from './tool.ts';

/** URLs of one answer, however short they are. */
const MAX_URLS = 2_000;

/** `list_urls`: the URLs of a site, by a map. */
export const LIST_URLS: Tool = {
  name: 'list_urls',
  title: 'List URLs',
  description: 'Lists the URLs of a site; paths are of base. More: "next", charged again.',
  scope: 'scrape',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: TEXT,
      depth: {
        type: 'integer',
        minimum: 0,
        maximum: 2,
        description: '0: sitemaps; 1: start page; 2: its links, 1 credit each',
      },
      search: TEXT,
      include: { type: 'array', items: TEXT, description: 'Globs such as "/posts/**"' },
      offset: { type: 'integer', minimum: 0 },
    },
  },
  output: answers({ untrusted: UNTRUSTED, complete: UNTRUSTED, base: TEXT, urls: LIST }),
  async call({ offset = 0, ...options }, { gleaner, signal }) {
    const first = Number(offset);
    const body = { ...options, limit: Math.min(MAX_LIMIT, first + MAX_URLS + 1) } as unknown as BodyOf<'map'>;
    const { urls, complete, stoppedBy, reason } = await gleaner.map(body, { signal });
    const base = URL.parse(String(options.url))?.origin ?? '';
    const shown = urls.slice(first).map(({ url }) => withoutBase(url, base));
    let characters = 0;
    const end = shown.findIndex((url, index) => {
      characters += url.length + 3;
      return characters > BUDGET || index === MAX_URLS;
    });
    const taken = end === -1 ? shown : shown.slice(0, end);
    const isLimited = stoppedBy === 'limit' && end !== -1;
    return {
      isUntrusted: true,
      value: {
        complete: complete || isLimited,
        base,
        urls: taken,
        ...(stoppedBy !== undefined && !isLimited && { stoppedBy }),
        ...(reason !== undefined && { reason }),
      },
      more: end === -1 ? undefined : { ...options, offset: first + taken.length },
    };
  },
};

const MAX_LIMIT = 50_000;

function withoutBase(url: string, base: string): string {
  return base && url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}
