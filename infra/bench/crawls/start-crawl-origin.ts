import { join } from 'node:path';
import { type PagesOrigin, startOrigin } from '../jobs/workload.ts';

/** Size of a site: its pages, and whether they are real ones or small ones with 20 links. */
export interface CrawlOriginOptions {
  readonly pages: number;
  readonly size: 'real' | 'small';
}

/** Starts a site in a process of its own; its log goes into the folder. */
export function startCrawlOrigin(folder: string, { pages, size }: CrawlOriginOptions): Promise<PagesOrigin> {
  const entry = join(import.meta.dirname, 'crawl-origin-process.ts');
  return startOrigin(folder, entry, { BENCH_PAGES: String(pages), BENCH_PAGE_SIZE: size });
}
