import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Stack } from '../../stack/start-stack.ts';
import { Bench, type BenchStackOptions } from '../bench-stack.ts';
import type { CpuTimes } from '../processes.ts';
import { webHost } from './web-hosts.ts';

/** Fields that a contender extracts: `lists` are six, most of them lists; `simple` are seven that most pages have. */
export const FIELD_SETS = {
  lists: {
    title: 'title',
    headings: 'h1, h2, h3::text::all',
    paragraphs: 'p::text::all',
    links: 'a::attr(href)::all',
    code: 'code::text::all',
    items: { selector: 'li', all: true, fields: { text: 'p', link: 'a[href]::attr(href)' } },
  },
  simple: {
    title: 'title',
    heading: 'h1',
    lead: 'p',
    description: 'meta[name=description]::attr(content)',
    charset: 'meta[charset]::attr(charset)',
    headings: 'h2::text::all',
    links: 'a::attr(href)::all',
  },
};
export type FieldSet = keyof typeof FIELD_SETS;

/** The measured work: the fields of a number of pages of an origin, after a number of warm-up pages. */
export interface Workload {
  readonly fields: FieldSet;
  readonly pages: number;
  readonly warmUpPages: number;
  /** Most pages of the host at once. */
  readonly atOnce: number;
  /** URL of the origin; a page is this URL and its number. */
  readonly url: string;
}

/** Cost of the pages for one contender. */
export interface Measured {
  /** CPU by process per page. */
  readonly cpuMs: CpuTimes;
  readonly peakBytes: ReadonlyMap<string, number>;
  readonly pagesPerSecond: number;
  /** Extracted data by the number of the page. */
  readonly values: readonly unknown[];
}

/** An origin in a process of its own. */
export interface PagesOrigin {
  readonly url: string;
  readonly meanBytes: number;
}

/** Options of an origin of pages. */
export interface PagesOriginOptions {
  readonly delayMs?: number;
  /** Number of small pages, which link to each other, instead of real ones. */
  readonly smallPages?: number;
  /** Hosts that each have so many small pages; they are computed, and `startWebStack` makes them reachable. */
  readonly hosts?: number;
}

/** Starts an origin of pages. */
export async function startPagesOrigin(
  bench: Bench,
  { delayMs = 0, smallPages, hosts = 0 }: PagesOriginOptions = {},
): Promise<PagesOrigin> {
  const entry = join(import.meta.dirname, 'pages-origin-process.ts');
  const env = {
    DELAY_MS: String(delayMs),
    HOSTS: String(hosts),
    ...(smallPages !== undefined && { SMALL_PAGES: String(smallPages) }),
  };
  const { http: port = 0, meanBytes = 0 } = await bench.startOrigin(entry, env);
  return { url: `http://${hosts > 0 ? webHost(0) : '127.0.0.1'}:${port}/`, meanBytes };
}

const RESOLVE_WEB = pathToFileURL(join(import.meta.dirname, 'resolve-web-process.ts')).href;

/** Starts a stack whose processes resolve the hosts of a computed web to loopback. */
export async function startWebStack(bench: Bench, options: BenchStackOptions): Promise<Stack> {
  const { NODE_OPTIONS: before } = process.env;
  process.env.NODE_OPTIONS = [before, `--import=${RESOLVE_WEB}`].filter(Boolean).join(' ');
  try {
    return await bench.startStack(options);
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
}

/** Runs the work with a stack on the embedded servers and an origin of real pages. */
export async function withPagesStack(
  work: (stack: Stack, originUrl: string) => Promise<void>,
): Promise<void> {
  await using bench = await Bench.open();
  const { url: originUrl } = await startPagesOrigin(bench);
  await work(await bench.startStack({ originUrl }), originUrl);
}
