import { join } from 'node:path';
import { SupervisedProcess } from '../../stack/supervised-process.ts';

/** Six fields, most of them lists; the rivals take the same ones. */
export const SELECTORS = {
  title: 'title',
  headings: 'h1, h2, h3::text::all',
  paragraphs: 'p::text::all',
  links: 'a::attr(href)::all',
  code: 'code::text::all',
  items: { selector: 'li', all: true, fields: { text: 'p', link: 'a[href]::attr(href)' } },
};

/** What is measured: so many pages of an origin, after so many that warm everything up. */
export interface Workload {
  readonly pages: number;
  readonly warmUpPages: number;
  /** The origin's; a page is this and its number. */
  readonly url: string;
}

/** What the pages cost one contender. */
export interface Measured {
  /** CPU by process in milliseconds a page. */
  readonly cpuMs: ReadonlyMap<string, number>;
  readonly peakBytes: ReadonlyMap<string, number>;
  readonly pagesPerSecond: number;
  /** What was taken of each page, by its number. */
  readonly values: readonly unknown[];
}

/** Pages of about 50 KB from a process of its own. */
export interface PagesOrigin {
  readonly url: string;
  readonly meanBytes: number;
  stop(): Promise<void>;
}

/** Starts the origin; its log goes into the folder. */
export async function startPagesOrigin(folder: string): Promise<PagesOrigin> {
  const origin = new SupervisedProcess(
    {
      name: 'origin',
      entry: join(import.meta.dirname, 'pages-origin-process.ts'),
      env: {},
      logFile: join(folder, 'origin.log'),
    },
    console.error,
  );
  const { http: port = 0, meanBytes = 0 } = (await origin.start()).ports ?? {};
  return { url: `http://127.0.0.1:${port}/`, meanBytes, stop: () => origin.stop() };
}
