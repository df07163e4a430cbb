import { join } from 'node:path';
import { SupervisedProcess } from '../../stack/processes/supervised-process.ts';

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
  /** All URLs are given, or the links of the first page lead to them. */
  readonly urls: 'listed' | 'linked';
  readonly pages: number;
  readonly warmUpPages: number;
  /** URL of the origin; a page is this URL and its number. */
  readonly url: string;
}

/** Cost of the pages for one contender. */
export interface Measured {
  /** CPU by process, in milliseconds per page. */
  readonly cpuMs: ReadonlyMap<string, number>;
  readonly peakBytes: ReadonlyMap<string, number>;
  readonly pagesPerSecond: number;
  /** Extracted data by the number of the page. */
  readonly values: readonly unknown[];
}

/** Returns the CPU of all processes, in milliseconds per page. */
export function totalMs({ cpuMs }: Pick<Measured, 'cpuMs'>): number {
  return [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0);
}

/** An origin in a process of its own. */
export interface PagesOrigin {
  readonly url: string;
  readonly meanBytes: number;
  stop(): Promise<void>;
}

/** Starts an origin of real pages, of which the given number link to each other; its log goes into the folder. */
export async function startPagesOrigin(folder: string, linkedPages?: number): Promise<PagesOrigin> {
  const entry = join(import.meta.dirname, 'pages-origin-process.ts');
  const env = linkedPages === undefined ? {} : { LINKED_PAGES: String(linkedPages) };
  const logFile = join(folder, 'origin.log');
  const origin = new SupervisedProcess({ name: 'origin', entry, env, logFile }, console.error);
  const { http: port = 0, meanBytes = 0 } = (await origin.start()).ports;
  return { url: `http://127.0.0.1:${port}/`, meanBytes, stop: () => origin.stop() };
}
