import type { BodyOf, JobUrl } from '@gleaner/client';
import { ToolError } from '../answer/render-answer.ts';
import { MAX_WAIT_SECONDS, waitFor } from './job-tools.ts';
import { BUDGET } from './take-page.ts';
import { answers, LIST, TEXT, type Tool, UNTRUSTED } from './tool.ts';

const DEFAULT_PAGES = 10;
const MAX_PAGES = 100;
/** URLs of one answer, however short they are. */
const MAX_URLS = 2_000;
/** Reasons for which a URL is not a page of its own. */
const NO_PAGES: ReadonlySet<string> = new Set(['redirect', 'duplicate', 'notDocument', 'trap']);

/** `list_urls`: what a site has, by a crawl of few pages and the site's sitemaps. */
export const LIST_URLS: Tool = {
  name: 'list_urls',
  title: "List a site's URLs",
  description:
    'Lists the URLs of a site: those in its sitemaps, and links of its first pages, which are charged. Paths belong to base. More: id and offset of "next".',
  scope: 'jobs',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      url: TEXT,
      pages: { type: 'integer', minimum: 1, maximum: MAX_PAGES },
      include: { type: 'array', items: TEXT, description: 'Globs such as "/posts/**"' },
      id: TEXT,
      offset: { type: 'integer', minimum: 0 },
    },
  },
  output: answers({ untrusted: UNTRUSTED, id: TEXT, status: TEXT, base: TEXT, urls: LIST }),
  async call({ url, pages = DEFAULT_PAGES, include, id, offset = 0 }, { gleaner, signal }) {
    if ((url === undefined) === (id === undefined))
      throw new ToolError('Give url or id.', 'url starts a listing, id continues one.');
    const crawl = { limit: Number(pages), ...(include !== undefined && { include }) };
    const body = {
      urls: [String(url)],
      selectors: { title: 'title' },
      crawl,
    } as unknown as BodyOf<'createJob'>;
    const jobId = id === undefined ? (await gleaner.jobs.create(body, { signal })).id : String(id);
    const { status } = await waitFor(gleaner, jobId, MAX_WAIT_SECONDS, signal);
    const first = Number(offset);
    const known: string[] = [];
    let characters = 0;
    let isCut = false;
    let place = 0;
    for await (const entry of gleaner.jobs.urls(jobId, {}, { signal })) {
      if (isNoPage(entry)) continue;
      place += 1;
      if (place <= first) continue;
      characters += entry.url.length + 3;
      isCut = characters > BUDGET || known.length === MAX_URLS;
      if (isCut) break;
      known.push(entry.url);
    }
    const base = originOf(known);
    const isRunning = status === 'pending' || status === 'running';
    return {
      isUntrusted: true,
      value: { id: jobId, status, base, urls: known.map((each) => withoutBase(each, base)) },
      more: isCut || isRunning ? { id: jobId, offset: first + known.length } : undefined,
    };
  },
};

function isNoPage(entry: JobUrl): boolean {
  return entry.skipped !== undefined && NO_PAGES.has(entry.skipped);
}

function originOf([first = '']: readonly string[]): string {
  return URL.parse(first)?.origin ?? '';
}

function withoutBase(url: string, base: string): string {
  return base && url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}
